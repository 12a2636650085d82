import { causesOf } from "../../analyse/sections/slices/slice-sections.ts"
import { storedVariant } from "../../analyse/source/stored-source.ts"
import { answersReader } from "../../analyse/summary/sample-splits.ts"
import { knownVariant } from "../../config/overrides.ts"
import { retryEvaluation, retryName } from "../../config/retry-evaluation.ts"
import { UsageError } from "../../core/errors.ts"
import { createTurns } from "../../core/interruption.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RetryRecord, RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type RetryStart, refuseRetry, triesOf } from "../../pipeline/retry-run.ts"
import { closing } from "../../platform/closing.ts"
import { startedPartOf } from "../../run/planned/started-part.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore, openStore } from "../../store/project-store.ts"
import { regressionWords } from "../../wording/sections/regressions.ts"
import { counted } from "../../words/number.ts"
import { errorText } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, number, text, texts } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { promptText } from "../files/prompt-text.ts"
import { listOption } from "../list-option.ts"
import { configOption } from "../run-config.ts"
import { storeOptions } from "../store/store-options.ts"
import { asStarted } from "./as-started.ts"
import { makeAndShow } from "./make-and-show.ts"
import { loadEvaluation } from "./run-once.ts"

/** `evalkit retry [run]`: a changed prompt where the candidate lost, then on the whole, at an error rate that is paid for. */
export const command: Command = {
  positionals: { run: text("id or its beginning; default: the newest") },
  options: {
    prompt: texts("file of a changed prompt: the system's, or the user's where it has {{input}}; several are a sweep"),
    cause: number("number of the cause in what broke", { default: 1 }),
    variant: text("candidate that lost (default: the one that the verdict is about)"),
    whole: flag("ask all samples, whatever becomes of the cause; also of a retry that stopped at the cause"),
    budget: text("5usd, 2M tokens, 500 requests, 30min: for what is asked anew"),
    concurrency: number("most requests in flight"),
    config: configOption,
    ...storeOptions,
    html: flag("write the HTML report, if the config has one (--no-html: leave it out)", { default: true }),
    json: json("print the report as JSON"),
  },
  examples: {
    "$0 retry --cause 2 --prompt new.txt": "the samples of cause 2 first; all, where it helps",
    "$0 retry 7f3a --prompt short.txt --prompt strict.txt": "a sweep: both share the error rate",
    "$0 retry 91bc --whole": "a retry that was asked about its cause alone goes on",
  },

  async run(args, io) {
    const id = args.run as string | undefined
    const config = args.config ?? (await closing(openProjectStore(args, io), (store) => findRun(store, id).configPath))
    if (config === null) throw new UsageError("the run does not know its config", { hint: "name one with --config" })
    const { path, evaluation: stated } = await loadEvaluation({ ...args, config, variant: undefined }, io)
    return closing(openStore({ store: args.store }, io, { evaluation: stated }), async (store) => {
      const run = findRun(store, id)
      const part = startedPartOf(store, run.id)
      const { evaluation } = asStarted(stated, run, part, new Set())
      if (args.prompt === undefined) {
        if (!run.retry || !args.whole)
          throw new UsageError("a retry needs a changed prompt", { hint: "name its file with --prompt" })
        return makeAndShow(evaluation, store, {
          args: { ...args, resume: run.id, isWhole: true },
          io,
          path,
          queue: null,
        })
      }
      const retry = await retryStart(store, run, evaluation, args, io)
      const { cause, causeName, triesBefore, prompts } = retry.record
      const { retry: _, ...first } = run
      const asked = retryEvaluation(asStarted(stated, first, part, new Set()).evaluation, retry.record)
      io.err(
        `retries cause ${cause} of run ${run.id} (${plainText(causeName, 200)}): ${counted(retry.samples.length, "sample")}, ${retry.lost.length} lost; try ${triesBefore + prompts.length}, decided at ${errorText(asked.alpha)}\n`,
      )
      return makeAndShow(asked, store, { args: { ...args, ...part, retry }, io, path, queue: null })
    })
  },
}

/** What a retry of a run is, with its prompts read. @throws {UsageError} where the run cannot be retried, and where there is no such candidate or cause */
async function retryStart(
  store: RunStore,
  run: RunRecord,
  evaluation: Evaluation,
  args: Args,
  io: CommandIo,
): Promise<RetryStart> {
  refuseRetry(store, run)
  const { baseline } = run
  const names = run.variants.map(({ name }) => name).filter((name) => name !== baseline)
  const candidate = String(args.variant ?? store.report(run.id)?.decision?.about ?? names[0])
  knownVariant("--variant", candidate, names)
  const side = (variant: string) => storedVariant(store, { run, variant }, variant, new Set(), answersReader(store))
  const { causes, positions } = await causesOf(
    { record: run, store, evaluation: { ...evaluation, alpha: run.alpha }, turn: createTurns(io.signal) },
    [side(String(baseline)), side(candidate)],
  )
  const entry = causes.find(({ number }) => number === args.cause)
  const nameOf = ({ cause }: (typeof causes)[number]) =>
    regressionWords.rule(cause.name, null, cause.elsewhere === null)
  if (!entry)
    throw new UsageError(`the report names no cause ${args.cause} of what ${candidate} lost`, {
      where: `run ${run.id}`,
      hint:
        causes.length === 0
          ? "it names none: nothing tells the losses from the rest"
          : `it names ${causes.map((numberedCause) => `${numberedCause.number}: ${plainText(nameOf(numberedCause), 80)}`).join("; ")}`,
    })
  const first = run.retry?.first ?? run.id
  const taken = evaluation.variants.map(({ name }) => name)
  const prompts: RetryRecord["prompts"][number][] = []
  for (const file of listOption(args.prompt)) {
    const variant = retryName(candidate, file, [...taken, ...prompts.map((prompt) => prompt.variant)])
    prompts.push({ variant, text: promptText(file, io) })
  }
  const changed = run.retry?.prompts.find(({ variant }) => variant === candidate)
  const base = {
    base: changed || candidate === run.retry?.candidate ? (run.retry?.base as string) : candidate,
    baseTexts: [...(run.retry?.baseTexts ?? []), ...(changed ? [changed.text] : [])],
  }
  const tried = run.retry ? run.retry.triesBefore + run.retry.prompts.length : 1
  const ids = (list: readonly number[]) => list.map(positions.idAt)
  return {
    record: {
      ...base,
      of: run.id,
      first,
      candidate,
      cause: entry.number,
      causeName: nameOf(entry),
      metric: entry.metric.name,
      triesBefore: Math.max(tried, triesOf(store, first)),
      firstAlpha: run.retry?.firstAlpha ?? run.alpha,
      prompts,
    },
    samples: ids(entry.cause.inside),
    lost: ids(entry.cause.positions),
    isWhole: args.whole === true,
  }
}
