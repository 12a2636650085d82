import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { type BillForecast, forecastBill } from "../../analyse/summary/bill.ts"
import { loadConfig } from "../../config/load.ts"
import { applyOverrides } from "../../config/overrides.ts"
import { systemClock } from "../../core/clock.ts"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { SliceQueue } from "../../core/run/slice-queue.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { type EvaluateResult, evaluate } from "../../pipeline/evaluate.ts"
import type { RetryStart } from "../../pipeline/retry-run.ts"
import { runVersions } from "../../platform/run-versions.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { packageVersion } from "../../platform/version.ts"
import { type CallFilter, shardFilter } from "../../run/plan.ts"
import { parseShard } from "../../run/planned/shard.ts"
import { findStoreFolder } from "../../store/project-store.ts"
import { optional } from "../arguments/optional.ts"
import { oneCanaryShare } from "../canary.ts"
import type { Args, CommandIo } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { scoringThreads } from "../score/scoring-threads.ts"
import { summaryThreads } from "../score/summary-threads.ts"
import { withProgress } from "../with-progress.ts"
import { partOf } from "./resumed-run.ts"

/** Options of `evalkit run`, by their names. */
export type RunArguments = Args

/** The config with what the options of `evalkit run` change in it. */
export async function loadEvaluation(args: RunArguments, io: CommandIo) {
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

/** How a run is made: by the options of `evalkit run`, and where workers elsewhere are to make its calls, by their queue. */
interface RunOnce {
  readonly args: RunArguments
  readonly io: CommandIo
  readonly configPath: string
  readonly queue?: SliceQueue | null
}

/** Evaluates with live progress. */
export function evaluateWithProgress(
  evaluation: Evaluation,
  store: RunStore,
  { args, io, configPath, queue = null }: RunOnce,
): Promise<EvaluateResult> {
  const cacheDirectory = userCacheDirectory(io.environment)
  const opening = { clock: systemClock, environment: io.environment, cacheDirectory, signal: io.signal }
  return withProgress(io, (onProgress, say) =>
    evaluate({
      ...opening,
      evaluation,
      store,
      defaultEmbedder: transformers({ cacheDirectory }),
      scoringThreads: scoringThreads(),
      ...summaryThreads(findStoreFolder({ store: args.store }, io, evaluation)),
      facts: {
        id: randomBytes(4).toString("hex"),
        startedAt: new Date().toISOString(),
        versions: runVersions(),
        configPath,
        part: partOf(args),
      },
      async calibrate(load) {
        const { calibrate } = await import("../../providers/calibrate.ts")
        return calibrate(load, evaluation.variants, opening)
      },
      whenAsked: async () => (await import("../../capture/threads/used-pool.ts")).endUnusedThreads(),
      ...(queue && { distribution: { queue, version: packageVersion(), detach: args.detach === true } }),
      untilDecided: args.until === "decided",
      cancelBatches: args.cancelBatch === true,
      resendBatches: args.resendBatch === true,
      ...(args.shard === undefined ? {} : { wanted: filterOf(String(args.shard)) }),
      ...(args.retryFailed === undefined ? {} : { retryFailed: args.retryFailed as Outcome[] }),
      ...(args.resume === undefined ? {} : { resume: args.resume === "" ? null : String(args.resume) }),
      ...(args.extend === undefined ? {} : { extend: args.extend === "" ? null : String(args.extend) }),
      ...(args.retry !== undefined && { retry: args.retry as RetryStart }),
      isWhole: args.isWhole === true,
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

/** `incomplete: 3 of 80 calls have no answer`; a reason that begins with the status says it once. */
export function endLine(status: string, reason: string): string {
  return reason.startsWith(status) ? reason : `${status}: ${reason}`
}

/** A report that could not be written. */
export function unwrittenLine(name: string, error: unknown): string {
  return `evalkit: the report ${name} could not be written: ${messageOf(error)}\n`
}

/**
 * What is forecast for a run before it is on record, once it is known how much it asks. A run that goes on or is decided early, or a part
 * of one, asks another part than the run that it would be forecast from.
 */
export function forecastOf(store: RunStore, evaluation: Evaluation, args: RunArguments) {
  const isPart = ["resume", "extend", "until", "shard", "retry"].some((name) => args[name] !== undefined)
  const perAnswer = isPart ? null : forecastBill(store, evaluation, 1)
  return ({ record, status }: EvaluateResult): BillForecast | null =>
    perAnswer && status === "finished"
      ? { ...perAnswer, usd: perAnswer.usd * record.dataset.samples * record.repeats }
      : null
}
