import { randomUUID } from "node:crypto"
import { setMaxListeners } from "node:events"
import { createModelCaller, type SharedCalls } from "../calls/model-caller.ts"
import { messageOf } from "../core/errors.ts"
import type { Answer } from "../core/generation.ts"
import type { Embedder } from "../core/metric/embedder.ts"
import type { Metered, ServiceUse } from "../core/metric/metered.ts"
import type { Provider } from "../core/provider.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { ModelCall } from "../core/run/run-store.ts"
import type { RunStage } from "../run/run-stage.ts"
import { type ScoreOptions, scoreRun } from "../score/score.ts"
import { createServiceCaller } from "../score/service-caller.ts"
import { createPartScorer } from "../score/threads/part-scorer.ts"
import { measureTexts, type ScorePartsOptions, scoreParts } from "../score/threads/score-parts.ts"
import { runNotes } from "../wording/judging.ts"
import { noteJudgeDifferences } from "./judge-differences.ts"

/**
 * Scores what has no row yet, variant by variant, and books what the metrics' own model calls cost. Stops where the budget
 * does not hold the next call; what was answered until then is kept.
 * @param repair measure anew what a judge, a model or a metric failed at
 * @returns whether every answer has its rows
 */
export async function scoreAll(run: RunStage, repair = false): Promise<boolean> {
  const { metrics, variants } = run.evaluation
  const tasks = variants.map(({ name }): VariantTask => ({ variant: name, metrics, repair }))
  if (measureTexts(metrics)) return scoreTexts(run, tasks)
  for (const task of tasks) if (!(await scoreVariant(run, task))) return false
  return true
}

/** The same, in parts that any thread can measure. */
async function scoreTexts(run: RunStage, tasks: readonly VariantTask[]): Promise<boolean> {
  const { evaluation, store, record, progress, scoringThreads = null } = run
  const note = (message: string): void => progress.note(message)
  const scorer = createPartScorer({ metrics: evaluation.metrics, threads: scoringThreads, note })
  const counts = store.countFinished(record.id)
  let left = [...counts.values()].reduce((sum, count) => sum + count, 0)
  try {
    for (const task of tasks) {
      if (!(await scoreVariant(run, { ...task, parts: { scorer, left } }))) return false
      left -= counts.get(task.variant) ?? 0
    }
    return true
  } finally {
    await scorer.close()
  }
}

/** What is scored of one variant. */
export interface VariantTask extends Pick<ScoreOptions, "metrics" | "repair" | "wanted" | "sampleIds"> {
  readonly variant: string
  /** Its metrics measure texts: in parts. */
  readonly parts?: Pick<ScorePartsOptions, "scorer" | "left">
  /** How models are asked where several processes score one run. */
  readonly asking?: SharedCalls
  /** Ends it besides the run's own signal. */
  readonly ends?: AbortSignal
  /** Called with each answer of a model that a metric asked. */
  onAnswer?(provider: Provider, answer: Answer): void
}

/** Scores one variant's answers as {@link scoreAll} does; returns whether it came to its end. */
export async function scoreVariant(
  run: RunStage,
  { variant, asking, ends, parts, ...task }: VariantTask,
): Promise<boolean> {
  const { evaluation, record, store, control, progress, defaultEmbedder } = run
  control.budget.releaseHeld()
  const spent = new AbortController()
  const signal = AbortSignal.any([control.signal, spent.signal, ...(ends ? [ends] : [])])
  setMaxListeners(0, signal)
  const onSpent = (): void => spent.abort(new Error("the budget is spent"))
  const saving = asking?.save ?? ((call, answer) => store.saveModelCall(record.id, call, answer))
  let fault: unknown = null
  /** What cannot be written down is paid for again: nothing more is asked then. */
  const save: typeof saving = async (...call) => {
    try {
      await saving(...call)
    } catch (error) {
      fault ??= error
      spent.abort(error)
      throw error
    }
  }
  const note = noteJudgeDifferences(run)
  const models = createModelCaller({
    evaluation,
    store,
    ...asking,
    save,
    variant,
    control,
    signal,
    onSpent,
    onAnswer(provider, answer) {
      note(provider, answer)
      task.onAnswer?.(provider, answer)
    },
  })
  const services = createServiceCaller(
    {
      budget: control.budget,
      signal,
      spender: asking?.spender,
      onSpent,
      onUse: (use) => save({ ...callOf(use, variant), at: new Date(control.clock.wall()).toISOString() }, null),
    },
    metersOf(evaluation),
  )
  const options: ScoreOptions = {
    ...task,
    runId: record.id,
    store,
    dataset: record.dataset.fingerprint,
    variants: [variant],
    tools: {
      signal,
      seed: evaluation.seed,
      cache: store.cache,
      models,
      services,
      candidateModels: evaluation.variants.map(({ provider }) => provider.model),
      ...(defaultEmbedder && { defaultEmbedder }),
    },
    signal,
    onScored: (name, answers) => {
      if (!task.wanted) progress.scored(name, answers)
    },
  }
  await (parts ? scoreParts({ ...options, ...parts, variant }) : scoreRun(options))
  if (fault !== null) throw fault
  return !signal.aborted
}

/** The services that metrics pay for. */
function metersOf({ metrics }: Pick<Evaluation, "metrics">): readonly Metered[] {
  return metrics.flatMap(({ meters = [] }) => meters)
}

/** A request to such a service as a call that a metric made. */
function callOf({ purpose, tokens, costUsd, seconds }: ServiceUse, variant: string): Omit<ModelCall, "at"> {
  return { variant, purpose, key: randomUUID(), requests: 1, costUsd, asideUsd: null, tokens, seconds }
}

/** Releases what the metrics opened to measure. */
export async function closeMetrics(
  evaluation: Pick<Evaluation, "metrics">,
  defaultEmbedder: Embedder | undefined,
  note: (message: string) => void,
): Promise<void> {
  for (const service of metersOf(evaluation)) service.onUse(null)
  const opened = [...evaluation.metrics, ...(defaultEmbedder ? [defaultEmbedder] : [])]
  const ends = await Promise.allSettled(opened.map(async (resource) => resource.close?.()))
  for (const [i, end] of ends.entries()) {
    const resource = opened[i]
    const name = resource && "name" in resource ? resource.name : "default embedder"
    if (end.status === "rejected") note(runNotes.notClosed(name, messageOf(end.reason)))
  }
}
