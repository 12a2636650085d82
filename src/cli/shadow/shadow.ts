import { ExitCode, messageOf } from "../../core/errors.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { type MirrorStatus, startMirror } from "../../shadow/mirror.ts"
import { startProxy, statusPath } from "../../shadow/proxy.ts"
import type { StopFinding } from "../../shadow/stop-rule.ts"
import { takeWriterLock } from "../../store/writer-lock.ts"
import { shadowLine, stoppedLine, stopSentence } from "../../wording/shadow.ts"
import { plainText } from "../../words/text.ts"
import { json, number, text } from "../arguments/options.ts"
import type { Command, CommandIo } from "../command.ts"
import { progressLine } from "../progress-line.ts"
import type { WatchAlarm } from "../watch/poll.ts"
import { tellWebhook, webhookOf } from "../watch/webhook.ts"
import { shadowFolder, shadowSettings } from "./settings.ts"

/** `evalkit shadow`: a proxy that answers from the primary, and asks a candidate a share of the same beside it. */
export const command: Command = {
  options: {
    primary: text("base URL that your program calls today, with /v1", { demandOption: true }),
    candidate: text("base URL of the candidate, with /v1", { demandOption: true }),
    "candidate-model": text("model to ask the candidate for", { demandOption: true }),
    "key-variable": text(
      "environment variable that holds the candidate's key (default: none is sent; the caller's never is)",
    ),
    share: text("share of the users or conversations whose chats are mirrored", { default: "5%" }),
    budget: text("what the candidate may use a day (UTC), at most: 20usd/day, 500 requests/day, 2M tokens/day"),
    price: text("of the candidate, in dollars per million tokens: input/output or input/cached/output"),
    "max-tokens": number("longest answer of the candidate where a request names none", { default: 4096 }),
    "max-concurrency": number("requests of the candidate in flight", { default: 8 }),
    "stop-when": text('stop mirroring once this is established: "availability < 99 %", "p95 TTFT > 2 s"'),
    "stop-calls": number("calls of the candidate that --stop-when looks back at", { default: 200 }),
    webhook: text("address that the stop is sent to, as JSON (or EVALKIT_WATCH_WEBHOOK)"),
    out: text("folder of the pairs, a file a day (UTC)", { alias: ["o", "output"], default: "shadow" }),
    countries: text("countries whose national phone numbers are found, such as DE,FR (default: US)"),
    "pseudonym-key": text("file with the secret that makes the pseudonyms (default: one in the folder)"),
    port: number("0 takes any free port", { default: 8080 }),
    host: text("address to listen on", { default: "127.0.0.1" }),
    seed: number("seed of the draw", { default: 42 }),
    json: json("print one line of JSON when it is ready, and one at the end"),
  },
  examples: {
    "$0 shadow --primary https://api.openai.com/v1 --candidate https://api.groq.com/openai/v1 --candidate-model openai/gpt-oss-20b --key-variable GROQ_API_KEY --share 5% --budget 20usd/day":
      "then let your program call http://127.0.0.1:8080/v1",
    "$0 compare shadow:primary shadow:candidate --metric refusal": "what was found so far",
  },
  epilogue:
    "Ends at Ctrl-C, with what is in flight; at the second one at once. After --stop-when the primary is served as before. exit codes: 0 ended · 3 --stop-when stopped the candidate",

  async run(args, io) {
    const webhook = webhookOf(args.webhook, io.environment)
    const folder = shadowFolder(args, io)
    makeFolder(folder)
    const lock = takeWriterLock(folder)
    try {
      const { host, port, primary, share, seed, mirror: settings } = await shadowSettings(args, io, folder)
      const notices: Promise<void>[] = []
      const onStopped = (finding: StopFinding): void => {
        const sentence = stopSentence(finding.limits, finding.calls)
        line.say(() => io.err(`evalkit: ${plainText(stoppedLine(sentence), 600)}\n`))
        if (webhook) notices.push(notify(webhook, finding, sentence, io))
      }
      const mirror = await startMirror({ settings, share, seed, onStopped })
      const status = (): MirrorStatus & { readonly requests: number } => ({
        requests: proxy?.requests() ?? 0,
        ...mirror.status(),
      })
      const budget = args.budget === undefined ? null : String(args.budget)
      const line = progressLine(io, () => shadowLine(status(), budget))
      let proxy: Awaited<ReturnType<typeof startProxy>> | undefined
      try {
        proxy = await startProxy({ host, port, primary, mirror, status })
        const facts = { url: `${proxy.origin}${primary.pathname.replace(/\/$/, "")}`, pairs: folder }
        io.out(args.json ? `${JSON.stringify({ ...facts, status: `${proxy.origin}${statusPath}` })}\n` : welcome(facts))
        await new Promise<void>((end) => {
          if (io.signal.aborted) end()
          io.signal.addEventListener("abort", () => end(), { once: true })
        })
        await proxy.close(drainMs)
      } finally {
        line.end()
        await mirror.drain(proxy ? drainMs : 0)
      }
      await Promise.all(notices)
      const last = status()
      if (args.json) io.out(`${JSON.stringify(last)}\n`)
      else io.err(`${shadowLine(last, budget)}\n`)
      return last.stopped ? ExitCode.gateFailed : ExitCode.ok
    } finally {
      lock.release()
    }
  },
}

/** How long requests and calls in flight may go on after Ctrl-C. */
const drainMs = 10_000

function welcome({ url, pairs }: { readonly url: string; readonly pairs: string }): string {
  return `let your program call ${url} in place of the primary; pairs are stored in ${pairs}\nCtrl-C ends it\n`
}

/** The webhook is called even where Ctrl-C comes at the same moment. */
async function notify(url: URL, finding: StopFinding, sentence: string, io: CommandIo): Promise<void> {
  const figure = finding.limits[0]?.constraint.figure ?? ""
  const kind = figure === "availability" ? "availability" : figure.startsWith("ttft") ? "first token" : "latency"
  const alarm: WatchAlarm = { key: `candidate/${kind}`, variant: "candidate", kind, sentence }
  const news = { began: [alarm], ended: [], at: new Date().toISOString() }
  const failure = await tellWebhook(url, news, new AbortController().signal).catch(messageOf)
  if (failure !== null) io.err(`evalkit: the webhook could not be called: ${plainText(failure, 200)}\n`)
}
