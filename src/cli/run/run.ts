import { join, relative } from "node:path"
import { priceAdvice } from "../../../reports/wording/price-advice.ts"
import { wholeFailure } from "../../../reports/wording/whole-failure.ts"
import { runBill } from "../../analyse/summary/bill.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { isFailure, outcomes } from "../../core/outcome.ts"
import type { SliceQueue } from "../../core/run/slice-queue.ts"
import { queueName } from "../../pipeline/distribute/task.ts"
import type { EvaluateResult } from "../../pipeline/evaluate.ts"
import { parseQueueLocation } from "../../queue/location.ts"
import { openStore } from "../../store/project-store.ts"
import { optional } from "../arguments/optional.ts"
import { flag, json, number, oneOf, text, texts } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"
import { billLine } from "./bill-line.ts"
import { nextCommands } from "./next-commands.ts"
import { commandPlacer, type RunPlace } from "./place-command.ts"
import { resumed } from "./resumed-run.ts"
import { endLine, evaluateWithProgress, forecastOf, loadEvaluation, unwrittenLine } from "./run-once.ts"
import { calledAs } from "./shell-words.ts"

/** `evalkit run [config]`: the whole pipeline, from the data set to the verdict. */
export const command: Command = {
  mayBeBare: ["resume", "extend", "retry-failed"],

  positionals: { config: text("default: eval.config.ts") },
  options: {
    resume: text("continue a run: its id, or the newest one of this config that has not finished"),
    "retry-failed": texts("with --resume: ask again only calls that failed in these ways (default: all that failed)", {
      choices: outcomes.filter(isFailure),
    }),
    extend: text(
      "with a larger --limit: keep the answers of a run that had a smaller one (its id, or the newest), ask the rest",
    ),
    "dry-run": flag("print calls, tokens and cost, and stop"),
    budget: text("5usd, 2M tokens, 500 requests, 30min"),
    limit: number("only the first n samples"),
    canary: text("only a seeded share of the samples, as a canary would get: 5%"),
    variant: texts("only these variants"),
    repeats: number("answers per sample and variant"),
    concurrency: number("most requests in flight"),
    retries: number("retries after a failed attempt; 0: none"),
    aa: flag("the baseline against itself: the noise of quality, time and cost, and how often it looks like a gain"),
    shard: text("i/n: the i-th of n parts, to be joined by evalkit merge"),
    queue: text("let workers answer: redis://host:6379 or postgres://user@host/database (see: evalkit worker)"),
    detach: flag("with --queue: leave the slices to the workers and return; --resume scores and reports"),
    until: oneOf(["decided"], "stop calling variants whose verdict is decided"),
    seed: number("seed of everything random"),
    margin: number("largest loss that counts as not worse"),
    cache: flag("answer identical requests from the store"),
    batch: flag("ask by batch, at the services' lower price and within hours"),
    "live-share": number("with --batch: share of the samples that is asked live, for latency"),
    "cancel-batch": flag("with --resume: end the batches under way, keep what they have"),
    "resend-batch": flag("with --resume: send a batch again where the service cannot tell whether it was sent"),
    directory: text("folder of the store and the reports"),
    store: storeOptions.store,
    html: flag("write the HTML report, if the config has one (--no-html: leave it out)", { default: true }),
    json: json("print the report as JSON"),
  },
  examples: {
    "$0 run": "run eval.config.ts",
    "$0 run --limit 50 --budget 1usd": "a first, inexpensive look",
    "$0 run --extend --limit 200": "ask more samples of the newest run, whose answers count as well",
    "$0 run --batch --live-share 0.2": "quality at half the price, latency from a fifth of the samples",
    "$0 run --queue redis://10.0.0.5:6379": "one run over many machines, each with evalkit worker",
    "$0 run --aa --limit 200": "what the baseline differs from itself by, before a candidate is asked",
    "$0 run --resume": "continue after an interruption, and ask failed calls again",
  },

  async run(args, io) {
    if (args.retryFailed !== undefined && args.resume === undefined)
      throw new UsageError("--retry-failed needs --resume", { hint: "name a run, or leave --retry-failed out" })
    for (const name of ["cancelBatch", "resendBatch"] as const)
      if (args[name] && args.resume === undefined)
        throw new UsageError(`--${name.replace("B", "-b")} needs --resume`, { hint: "name the run, or leave it out" })
    if (args.extend !== undefined)
      for (const other of ["resume", "until", "shard"] as const)
        if (args[other] !== undefined)
          throw new UsageError(`--extend and --${other} do not go together`, { hint: `leave one of them out` })
    refusePairs(args)
    for (const other of ["queue", "until"] as const)
      if (args.aa && args[other] !== undefined)
        throw new UsageError(`--aa and --${other} do not go together`, { hint: "leave one of them out" })
    if (args.detach && args.queue === undefined)
      throw new UsageError("--detach needs --queue", { hint: "name the queue that workers read, or leave it out" })
    if (args.detach && args.until !== undefined)
      throw new UsageError("--detach and --until do not go together", {
        hint: "somebody has to look whether it is decided: leave --detach out",
      })
    const { path, evaluation: asked } = await loadEvaluation(args, io)
    if (args.dryRun) return (await import("./dry-run.ts")).dryRun(asked, io, { json: args.json === true, args })
    const shared = args.queue !== undefined
    const store = openStore({ store: args.store }, io, {
      evaluation: asked,
      ...(shared && { role: "coordinator" as const }),
    })
    let queue: SliceQueue | null = null
    try {
      const { evaluation, ...begun } = resumed(asked, store, args, io, path)
      queue = shared ? await openQueue(String(args.queue), queueName(evaluation, store), io) : null
      refusePairs({ ...args, ...begun })
      const forecast = forecastOf(store, evaluation, { ...args, ...begun })
      const result = await evaluateWithProgress(evaluation, store, {
        args: { ...args, ...begun },
        io,
        configPath: relative(io.cwd, path),
        queue,
      })
      if (args.detach) {
        io.out(args.json ? `${JSON.stringify({ runId: result.record.id })}\n` : detached(result.record.id, io))
        return ExitCode.ok
      }
      const { html } = await import("../../../reports/renderers.ts")
      const wanted = (evaluation.reports ?? [html()]).filter(({ name }) => args.html !== false || name !== "html")
      // Who interrupts wants an end now; the reports can be made from the store at any time.
      const renderers = io.signal.aborted ? [] : wanted
      const folder = join(evaluation.directory, "reports")
      const { writeReports } = await import("../report-files.ts")
      const { paths, failures } = await writeReports(
        renderers,
        reportInput(store, result.record, io.signal),
        folder,
        io,
      )
      const place = {
        config: path,
        directory: evaluation.directory,
        isDirectoryGiven: args.directory !== undefined,
        ...optional("store", args.store as string | undefined),
      }
      if (args.json) io.out(`${JSON.stringify(result.report)}\n`)
      else io.out(await summary(result, paths, place, io))
      const placed = commandPlacer(place, io)
      const price = placed({ name: "price", words: [result.record.id] })
      const bill = billLine(runBill(store, result.record, evaluation.variants), forecast(result), price)
      if (bill !== "") io.err(`evalkit: ${bill}\n`)
      const advice = priceAdvice(result.report)
      if (advice) io.err(`evalkit: ${advice.words} ${placed(advice.command)}\n`)
      if (result.reason && !isSaidAbove(result, args, io)) io.err(`evalkit: ${endLine(result.status, result.reason)}\n`)
      for (const { name, error } of failures) io.err(unwrittenLine(name, error))
      if (io.signal.aborted && wanted.length > 0) {
        const report = { name: "report", words: [result.record.id, "-f", "html", "-o", "report.html"] } as const
        io.err(`evalkit: its reports are not written; write one with: ${placed(report)}\n`)
      }
      const exitCode = io.signal.aborted ? ExitCode.interrupted : exitCodeOf(result)
      return exitCode === ExitCode.ok && failures.length > 0 ? ExitCode.fault : exitCode
    } finally {
      await queue?.close()
      store.close()
    }
  },
}

/** Refuses options of which one makes the other pointless, also where a run that goes on was started with one of them. */
function refusePairs({ until, shard, queue }: Args): void {
  if (until !== undefined && shard !== undefined)
    throw new UsageError("--until and --shard do not go together", {
      where: `--until ${String(until)} --shard ${String(shard)}`,
      hint: "a part of the samples cannot tell when the whole is decided: leave one of them out",
    })
  if (queue !== undefined && shard !== undefined)
    throw new UsageError("--queue and --shard do not go together", { hint: "leave one of them out" })
}

async function openQueue(url: string, name: string, { environment }: CommandIo): Promise<SliceQueue> {
  const { openSliceQueue } = await import("../../queue/queue.ts")
  return openSliceQueue(parseQueueLocation(url, "--queue", environment), name)
}

function detached(runId: string, { environment }: CommandIo): string {
  return `run ${runId} is left to its workers; score and report it with: ${calledAs(environment)} run --resume ${runId} --queue URL\n`
}

async function summary(
  result: EvaluateResult,
  paths: readonly string[],
  place: RunPlace,
  io: CommandIo,
): Promise<string> {
  const { renderTerminal } = await import("../../../reports/terminal/terminal.ts")
  const { color, columns, unicode } = io
  const reportPath = paths.map((path) => relative(io.cwd, path)).join(" · ")
  const links = {
    ...(paths.length > 0 && { reportPath }),
    next: nextCommands(result, place, io),
    place: commandPlacer(place, io),
  }
  return renderTerminal(result.report, { color, columns, unicode }, links)
}

/** Whether the summary gives the reason to the same reader, on the same screen. */
function isSaidAbove(
  { reason, report }: EvaluateResult,
  { json }: Args,
  { interactive, takesBytes }: CommandIo,
): boolean {
  const isOneScreen = interactive && takesBytes !== true && json !== true
  return isOneScreen && (wholeFailure(report)?.reasons.some((said) => said === reason) ?? false)
}

/** 3 and 4 only where the config asked for a decision; a run without an answer is not in order, whatever it finished. */
function exitCodeOf({ status, report }: EvaluateResult): number {
  if (status === "interrupted") return ExitCode.interrupted
  if (status === "incomplete") return ExitCode.incomplete
  if (report.gate.some((rule) => rule.status === "failed")) return ExitCode.gateFailed
  if (wholeFailure(report) !== null) return ExitCode.incomplete
  if (report.gate.some((rule) => rule.status === "inconclusive")) return ExitCode.inconclusive
  return ExitCode.ok
}
