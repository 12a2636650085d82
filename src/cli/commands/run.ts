import { randomBytes } from "node:crypto"
import { join, relative, resolve } from "node:path"
import { html } from "../../../reports/renderers.ts"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import { priceAdvice } from "../../../reports/wording/price-advice.ts"
import { wholeFailure } from "../../../reports/wording/whole-failure.ts"
import { endUnusedThreads } from "../../capture/threads/used-pool.ts"
import { loadConfig } from "../../config/load.ts"
import { applyOverrides } from "../../config/overrides.ts"
import { systemClock } from "../../core/clock.ts"
import { ExitCode, messageOf, UsageError } from "../../core/errors.ts"
import { isFailure, type Outcome, outcomes } from "../../core/outcome.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { SliceQueue } from "../../core/run/slice-queue.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { queueName } from "../../engine/distribute/task.ts"
import { type BillForecast, forecastBill, runBill } from "../../engine/report/bill.ts"
import { reportInput } from "../../engine/report/report-input.ts"
import { parseShard } from "../../engine/run/calls/shard.ts"
import { type EvaluateResult, evaluate } from "../../engine/run/evaluate.ts"
import { type CallFilter, shardFilter } from "../../engine/run/plan.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { calibrate } from "../../providers/calibrate.ts"
import { parseQueueLocation } from "../../queue/location.ts"
import { billLine } from "../after-run/bill-line.ts"
import { nextCommands } from "../after-run/next-commands.ts"
import { commandPlacer, type RunPlace } from "../after-run/place-command.ts"
import { partOf, resumed } from "../after-run/resumed-run.ts"
import { calledAs } from "../after-run/shell-words.ts"
import { oneCanaryShare } from "../canary/canary.ts"
import type { Command, CommandIo } from "../command.ts"
import { dryRun } from "../dry-run.ts"
import { optional } from "../line/optional.ts"
import { loadOptions } from "../load-options.ts"
import { writeReports } from "../report-files.ts"
import { scoringThreads } from "../score/scoring-threads.ts"
import { summaryThreads } from "../score/summary-threads.ts"
import { findStoreFolder, openStore } from "../store/project-store.ts"
import { storeOptions } from "../store/store-options.ts"
import { packageVersion } from "../version.ts"
import { withProgress } from "../with-progress.ts"

/** `evalkit run [config]`: the whole pipeline, from the data set to the verdict. */
export const command: Command = {
  mayBeBare: ["resume", "extend", "retry-failed"],

  options: (yargs) =>
    yargs
      .positional("config", { type: "string", describe: "default: eval.config.ts" })
      .option("resume", {
        type: "string",
        describe: "continue a run: its id, or the newest one of this config that has not finished",
      })
      .option("retry-failed", {
        type: "string",
        array: true,
        choices: outcomes.filter(isFailure),
        describe: "with --resume: ask again only calls that failed in these ways (default: all that failed)",
      })
      .option("extend", {
        type: "string",
        describe:
          "with a larger --limit: keep the answers of a run that had a smaller one (its id, or the newest), ask the rest",
      })
      .option("dry-run", { type: "boolean", describe: "print calls, tokens and cost, and stop" })
      .option("budget", { type: "string", describe: "5usd, 2M tokens, 500 requests, 30min" })
      .option("limit", { type: "number", describe: "only the first n samples" })
      .option("canary", { type: "string", describe: "only a seeded share of the samples, as a canary would get: 5%" })
      .option("variant", { type: "string", array: true, describe: "only these variants" })
      .option("repeats", { type: "number", describe: "answers per sample and variant" })
      .option("concurrency", { type: "number", describe: "most requests in flight" })
      .option("retries", { type: "number", describe: "retries after a failed attempt; 0: none" })
      .option("aa", {
        type: "boolean",
        describe:
          "the baseline against itself: the noise of quality, time and cost, and how often it looks like a gain",
      })
      .option("shard", { type: "string", describe: "i/n: the i-th of n parts, to be joined by evalkit merge" })
      .option("queue", {
        type: "string",
        describe: "let workers answer: redis://host:6379 or postgres://user@host/database (see: evalkit worker)",
      })
      .option("detach", {
        type: "boolean",
        describe: "with --queue: leave the slices to the workers and return; --resume scores and reports",
      })
      .option("until", { choices: ["decided"] as const, describe: "stop calling variants whose verdict is decided" })
      .option("seed", { type: "number", describe: "seed of everything random" })
      .option("margin", { type: "number", describe: "largest loss that counts as not worse" })
      .option("cache", { type: "boolean", describe: "answer identical requests from the store" })
      .option("batch", { type: "boolean", describe: "ask by batch, at the services' lower price and within hours" })
      .option("live-share", {
        type: "number",
        describe: "with --batch: share of the samples that is asked live, for latency",
      })
      .option("cancel-batch", {
        type: "boolean",
        describe: "with --resume: end the batches under way, keep what they have",
      })
      .option("resend-batch", {
        type: "boolean",
        describe: "with --resume: send a batch again where the service cannot tell whether it was sent",
      })
      .option("directory", { type: "string", describe: "folder of the store and the reports" })
      .option("store", storeOptions.store)
      .option("html", {
        type: "boolean",
        default: true,
        describe: "write the HTML report, if the config has one (--no-html: leave it out)",
      })
      .option("json", { type: "boolean", default: false, describe: "print the report as JSON" })
      .example("$0 run", "run eval.config.ts")
      .example("$0 run --limit 50 --budget 1usd", "a first, inexpensive look")
      .example("$0 run --extend --limit 200", "ask more samples of the newest run, whose answers count as well")
      .example("$0 run --batch --live-share 0.2", "quality at half the price, latency from a fifth of the samples")
      .example("$0 run --queue redis://10.0.0.5:6379", "one run over many machines, each with evalkit worker")
      .example("$0 run --aa --limit 200", "what the baseline differs from itself by, before a candidate is asked")
      .example("$0 run --resume", "continue after an interruption, and ask failed calls again"),

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
    const { path, evaluation: asked } = await load(args, io)
    if (args.dryRun) return dryRun(asked, io, { json: args.json === true, args })
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
      const result = await runWithProgress(evaluation, store, { ...args, ...begun }, io, relative(io.cwd, path), queue)
      if (args.detach) {
        io.out(args.json ? `${JSON.stringify({ runId: result.record.id })}\n` : detached(result.record.id, io))
        return ExitCode.ok
      }
      const wanted = (evaluation.reports ?? [html()]).filter(({ name }) => args.html !== false || name !== "html")
      // Who interrupts wants an end now; the reports can be made from the store at any time.
      const renderers = io.signal.aborted ? [] : wanted
      const folder = join(evaluation.directory, "reports")
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
      else io.out(summary(result, paths, place, io))
      const placed = commandPlacer(place, io)
      const price = placed({ name: "price", words: [result.record.id] })
      const bill = billLine(runBill(store, result.record, evaluation.variants), forecast(result), price)
      if (bill !== "") io.err(`evalkit: ${bill}\n`)
      const advice = priceAdvice(result.report)
      if (advice) io.err(`evalkit: ${advice.words} ${placed(advice.command)}\n`)
      if (result.reason && !isSaidAbove(result, args, io)) io.err(`evalkit: ${endLine(result.status, result.reason)}\n`)
      for (const { name, error } of failures)
        io.err(`evalkit: the report ${name} could not be written: ${messageOf(error)}\n`)
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

/**
 * What is forecast for a run before it is on record, once it is known how much it asks. A run that goes on or is decided early, or a part
 * of one, asks another part than the run that it would be forecast from.
 */
function forecastOf(store: RunStore, evaluation: Evaluation, args: Readonly<Record<string, unknown>>) {
  const isPart = ["resume", "extend", "until", "shard"].some((name) => args[name] !== undefined)
  const perAnswer = isPart ? null : forecastBill(store, evaluation, 1)
  return ({ record, status }: EvaluateResult): BillForecast | null =>
    perAnswer && status === "finished"
      ? { ...perAnswer, usd: perAnswer.usd * record.dataset.samples * record.repeats }
      : null
}

/** Refuses options of which one makes the other pointless, also where a run that goes on was started with one of them. */
function refusePairs({ until, shard, queue }: Readonly<Record<string, unknown>>): void {
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

async function load(args: Readonly<Record<string, unknown>>, io: CommandIo) {
  // A dry run has nothing to end in order.
  const options = { ...loadOptions(io), ...(!args.dryRun && { signal: io.signal }) }
  const loaded = await loadConfig(args.config as string | undefined, options)
  const number = (name: string): number | undefined => args[name] as number | undefined
  const evaluation = applyOverrides(loaded.evaluation, {
    ...optional("limit", number("limit")),
    ...optional("canary", oneCanaryShare(args.canary)),
    ...optional("variants", args.variant as string[] | undefined),
    ...(args.aa === true && { aa: true }),
    ...optional("repeats", number("repeats")),
    ...optional("concurrency", number("concurrency")),
    ...optional("retries", number("retries")),
    ...optional("seed", number("seed")),
    ...optional("margin", number("margin")),
    ...optional("budget", args.budget as string | undefined),
    ...optional("cache", args.cache as boolean | undefined),
    ...optional("batch", args.batch as boolean | undefined),
    ...optional("liveShare", number("liveShare")),
    ...optional("directory", args.directory === undefined ? undefined : resolve(io.cwd, String(args.directory))),
  })
  return { path: loaded.path, evaluation }
}

function runWithProgress(
  evaluation: Evaluation,
  store: RunStore,
  args: Readonly<Record<string, unknown>>,
  io: CommandIo,
  configPath: string,
  queue: SliceQueue | null,
): Promise<EvaluateResult> {
  const cacheDirectory = userCacheDirectory(io.environment)
  const opening = { clock: systemClock, environment: io.environment, cacheDirectory, signal: io.signal }
  return withProgress(io, (onProgress, say) =>
    evaluate({
      ...opening,
      evaluation,
      store,
      defaultEmbedder: transformers({ cacheDirectory: opening.cacheDirectory }),
      scoringThreads: scoringThreads(),
      ...summaryThreads(findStoreFolder({ store: args.store }, io, evaluation)),
      facts: {
        id: randomBytes(4).toString("hex"),
        startedAt: new Date().toISOString(),
        versions: versions(),
        configPath,
        part: partOf(args),
      },
      calibrate: (load) => calibrate(load, evaluation.variants, opening),
      whenAsked: endUnusedThreads,
      ...(queue && { distribution: { queue, version: packageVersion(), detach: args.detach === true } }),
      untilDecided: args.until === "decided",
      cancelBatches: args.cancelBatch === true,
      resendBatches: args.resendBatch === true,
      ...(args.shard === undefined ? {} : { wanted: filterOf(String(args.shard)) }),
      ...(args.retryFailed === undefined ? {} : { retryFailed: args.retryFailed as Outcome[] }),
      ...(args.resume === undefined ? {} : { resume: args.resume === "" ? null : String(args.resume) }),
      ...(args.extend === undefined ? {} : { extend: args.extend === "" ? null : String(args.extend) }),
      onProgress,
      onWarning: (message) => say(`evalkit: ${message}`),
    }),
  )
}

function filterOf(text: string): CallFilter {
  const shard = parseShard(text)
  if (shard) return shardFilter(shard)
  throw new UsageError("a shard is written i/n", { where: `--shard ${text}`, hint: "for example --shard 1/4" })
}

function summary(result: EvaluateResult, paths: readonly string[], place: RunPlace, io: CommandIo): string {
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
  { json }: Readonly<Record<string, unknown>>,
  { interactive, takesBytes }: CommandIo,
): boolean {
  const isOneScreen = interactive && takesBytes !== true && json !== true
  return isOneScreen && (wholeFailure(report)?.reasons.some((said) => said === reason) ?? false)
}

/** `incomplete: 3 of 80 calls have no answer`; a reason that begins with the status says it once. */
function endLine(status: string, reason: string): string {
  return reason.startsWith(status) ? reason : `${status}: ${reason}`
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

function versions(): Record<string, string> {
  return { evalkit: packageVersion(), node: process.versions.node, platform: `${process.platform}-${process.arch}` }
}
