import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Outcome } from "../../../src/core/outcome.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { type Arrangement, capturedBy } from "../capture/arrangements.ts"
import { ofAnotherHost } from "./certificates.ts"
import { type ChaosFault, chaosFault, chaosFaults } from "./faults.ts"
import { type MeasuredEnd, type MemoryReading, runMeasured } from "./measured-command.ts"
import type { ChaosServer } from "./server.ts"

/** How a run through chaos is made. */
export interface ChaosRun {
  /** An empty folder. */
  readonly folder: string
  readonly server: Pick<ChaosServer, "url" | "tls">
  readonly arrangement: Arrangement
  readonly rate: number
  readonly count: number
  readonly concurrency: number
  /** Retries after a failed attempt. */
  readonly retries: number
  onReading?(reading: MemoryReading): void
}

/** How it ended. */
export interface ChaosEnd extends MeasuredEnd {
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  /** Attempts of all calls together, by what they met: to be compared with the server's log. */
  readonly attempts: Readonly<Partial<Record<ChaosFault, number>>>
  /** Answers in another class than their fault's, answers of another question, calls without an answer. */
  readonly wrong: readonly string[]
}

/** Asks the questions 0, 1, 2 … with `evalkit run`, and compares how each ended with the fault that it met. */
export async function runThroughChaos(run: ChaosRun): Promise<ChaosEnd> {
  const { folder } = run
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "other-host.pem"), ofAnotherHost.cert)
  writeFileSync(join(folder, "eval.config.ts"), configOf(run))
  const lines = Array.from(
    { length: run.count },
    (_, n) => `${JSON.stringify({ id: `${n}`, input: `${n}`, reference: `${n}` })}\n`,
  )
  writeFileSync(join(folder, "data.jsonl"), lines.join(""))
  const ended = await runMeasured(["run", "--no-html", "--json"], {
    cwd: folder,
    environment: { NODE_EXTRA_CA_CERTS: join(folder, "other-host.pem") },
    ...(run.onReading && { onReading: run.onReading }),
  })
  const attempts: Partial<Record<ChaosFault, number>> = {}
  const wrong: string[] =
    ended.code === 0 || ended.code === 5 ? [] : [`exit ${ended.code}: ${ended.stderr.slice(-500)}`]
  let answered = 0
  const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
  const id = store.runs()[0]?.id ?? ""
  for (const { variant, sampleId, outcome, text, retries, failure } of [
    ...store.generations(id, "chaos"),
    ...store.generations(id, "well"),
  ]) {
    if (variant === "chaos") answered++
    const n = Number(sampleId)
    const fault = variant === "chaos" ? chaosFault(n, run.rate) : "none"
    attempts[fault] = (attempts[fault] ?? 0) + 1 + retries.length
    if (outcome !== chaosFaults[fault]) wrong.push(`${n}: ${fault} ended as ${outcome} (${failure?.message ?? ""})`)
    else if (outcome === "ok" && !text.endsWith(sampleId)) wrong.push(`${n}: ${text.slice(-20)}`)
  }
  store.close()
  if (answered !== run.count)
    wrong.push(`${answered} of ${run.count} calls have an answer: ${ended.stderr.slice(-300)}`)
  return { ...ended, outcomes: outcomesOf(ended.stdout), attempts, wrong }
}

function outcomesOf(stdout: string): ChaosEnd["outcomes"] {
  try {
    return (JSON.parse(stdout) as RunReport).variants[0]?.outcomes ?? {}
  } catch {
    return {}
  }
}

/** A variant that asks the server that its question's fault needs. */
function configOf({ server, arrangement, rate, concurrency, retries }: ChaosRun): string {
  const { transport, captureThreads } = capturedBy(arrangement)
  const faults = fileURLToPath(new URL("./faults.ts", import.meta.url))
  return `import { dataset, defineConfig, meanMetric, openai } from "evalkit"
import { chaosFault } from ${JSON.stringify(faults)}
const at = (baseUrl: string) => openai({
  model: "m", baseUrl, apiKeyVariable: null, transport: "${transport}", captureThreads: ${captureThreads},
  maxAnswerBytes: 1_000_000,
})
const plain = at("${server.url(rate)}")
const guarded = { selfSigned: at("${server.tls.selfSigned}"), wrongHost: at("${server.tls.wrongHost}") }
const provider = { ...plain, async open(context) {
  const session = await plain.open(context)
  const others = { selfSigned: await guarded.selfSigned.open(context), wrongHost: await guarded.wrongHost.open(context) }
  return {
    ...session,
    request(request, options) {
      const fault = chaosFault(Number(request.messages[0].content), ${rate})
      return (others[fault] ?? session).request(request, options)
    },
    close: async () => void (await Promise.all([session, ...Object.values(others)].map((one) => one.close()))),
  }
} }
export default defineConfig({
  dataset: dataset("data.jsonl"), concurrency: ${concurrency},
  // A run of which no variant is answered stops after a few calls: where all of one fail, another is well.
  variants: [{ name: "chaos", provider }${rate === 1 ? `, { name: "well", provider: at("${server.url(0)}") }` : ""}],
  retry: { retries: ${retries}, baseDelayMs: 1, maxDelayMs: 5 },
  timeouts: { connectMs: 10_000, firstTokenMs: 2_500, gapMs: 2_000, totalMs: 20_000 },
  metrics: [meanMetric({ name: "own", signature: "own|v1", measure: (sample, { text }) => Number(text.endsWith(sample.id)) })],
})
`
}
