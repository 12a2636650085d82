import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type StartedPart, startedPartOf } from "../../run/planned/started-part.ts"
import { counted } from "../../words/number.ts"
import { plainText } from "../../words/text.ts"
import { optional } from "../arguments/optional.ts"
import { oneCanaryShare } from "../canary.ts"
import type { Args, CommandIo } from "../command.ts"
import { localTime } from "../history/local-time.ts"
import { asStarted } from "./as-started.ts"
import { type GivenPart, newestUnfinished } from "./newest-unfinished.ts"

/** What this command line says of the calls, as far as a run's record does not. */
export function partOf(args: Args): StartedPart {
  return {
    ...optional("limit", args.limit as number | undefined),
    ...optional("canary", oneCanaryShare(args.canary)),
    ...optional("shard", args.shard as string | undefined),
    ...(args.aa === true && { aa: true as const }),
    ...(args.until === "decided" && { until: "decided" }),
  }
}

/**
 * The run to go on with, the evaluation as it was started, and the options that were given then: of the run that `--resume` names, or of
 * the newest of this config that has not finished. Where there is neither, the evaluation as it is asked for.
 */
export function resumed(
  evaluation: Evaluation,
  store: RunStore,
  args: Args,
  io: CommandIo,
  configPath: string,
): { readonly evaluation: Evaluation; readonly resume: unknown } & Pick<StartedPart, "shard" | "until"> {
  const { resume } = args
  const options: GivenPart = {
    ...partOf(args),
    ...optional("seed", args.seed as number | undefined),
    ...optional("repeats", args.repeats as number | undefined),
    ...optional("variants", args.variant as string[] | undefined),
  }
  const isBare = resume === "" && args.retryFailed === undefined
  const newest = isBare ? newestUnfinished(store, evaluation, configPath, options) : null
  const record = newest ?? (resume ? store.run(String(resume)) : null)
  if (!record) return { evaluation, resume }
  const part = startedPartOf(store, record.id)
  const started = asStarted(evaluation, record, part, new Set(Object.keys(options)))
  if (newest) {
    const answers = [...store.countFinished(newest.id).values()].reduce((sum, count) => sum + count, 0)
    const all = newest.dataset.samples * newest.repeats * newest.variants.length
    const of = part.shard === undefined ? `${answers} of ${counted(all, "answer")}` : counted(answers, "answer")
    const when = localTime(newest.startedAt, io.environment)
    io.err(
      `goes on with run ${newest.id}, the newest of this config that has not finished: started ${when}, ${of} ${answers === 1 ? "is" : "are"} there\n`,
    )
  }
  if (started.options.length > 0)
    io.err(`run ${record.id} goes on as it was started: ${plainText(started.options.join(" "), 600)}\n`)
  const { shard, until } = { ...part, ...options }
  return { evaluation: started.evaluation, resume: record.id, ...optional("shard", shard), ...optional("until", until) }
}
