import { privateFingerprint } from "../calls/private-fingerprint.ts"
import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { MetricRecord, RunRecord, VariantRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { type Variant, variantFingerprint } from "../core/variant.ts"
import type { Plan } from "./plan.ts"
import { type StartedPart, startedPartOf } from "./planned/started-part.ts"
import type { PreparedDataset } from "./prepare.ts"

/** Facts of a run that come from outside the evaluation. @experimental */
export interface RunFacts {
  readonly id: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly versions: Readonly<Record<string, string>>
  readonly configPath: string | null
  /** The part of the calls that the command line chose. Absent: all of them. */
  readonly part?: StartedPart
}

/** The record of a run that is about to start. It holds no key: of the config, only what can be shown. */
export function newRunRecord(
  evaluation: Evaluation,
  plan: Plan,
  dataset: PreparedDataset,
  facts: RunFacts,
  store: Pick<RunStore, "fingerprintKey">,
): RunRecord {
  return {
    ...facts,
    ...statedFacts(evaluation),
    finishedAt: null,
    status: "running",
    dataset: datasetRecord(dataset),
    variants: evaluation.variants.map((variant) => variantRecord(variant, store)),
    ...(evaluation.batch && { batch: { liveShare: evaluation.batch.liveShare } }),
    plan: plan.hash,
  }
}

/** What a run keeps of its evaluation alone, whatever is asked of whom. */
export function statedFacts(evaluation: Evaluation) {
  const { name, seed, repeats, margin, marginKind, missing, smallestGain, alpha, baseline } = evaluation
  return {
    name,
    seed,
    repeats,
    margin,
    marginKind,
    missing,
    smallestGain,
    alpha,
    baseline,
    config: shownConfig(evaluation),
    metrics: metricRecords(evaluation),
  }
}

/** What a run keeps of its data set. */
export function datasetRecord({ name, source, fingerprint, sampleIds, skipped, isPart }: PreparedDataset) {
  return { name, source, fingerprint, samples: sampleIds.length, skipped, ...(isPart && { isPart: true }) }
}

/** What a report shows of the metrics. */
export function metricRecords(evaluation: Pick<Evaluation, "metrics" | "primary">): readonly MetricRecord[] {
  const bound = (value: number): number | null => (Number.isFinite(value) ? value : null)
  return evaluation.metrics.map((metric) => ({
    name: metric.name,
    signature: metric.signature,
    direction: metric.direction,
    range: [bound(metric.range[0]), bound(metric.range[1])],
    unit: metric.unit ?? null,
    primary: evaluation.primary.includes(metric.name),
    ...(metric.title !== undefined && { title: metric.title }),
    aggregation: metric.aggregation.kind,
    ...(metric.recipe && { recipe: metric.recipe }),
  }))
}

/**
 * The run to go on with: the given one, or the newest one with the same plan, unfinished ones first.
 * @throws {UsageError} when there is none, or when what is planned has changed since it was started
 */
export function findResumable(
  store: Pick<RunStore, "run" | "runs" | "events">,
  plan: Plan,
  runId: string | null,
  { shard }: Pick<StartedPart, "shard"> = {},
): RunRecord {
  // The parts of one plan are runs of their own.
  const isPart = ({ id }: RunRecord) => startedPartOf(store, id).shard === shard
  const samePlan = () => store.runs().filter((run) => run.plan === plan.hash && isPart(run))
  const newest = () => samePlan().find(({ status }) => status !== "finished") ?? samePlan()[0]
  const record = runId === null ? newest() : store.run(runId)
  if (!record) {
    throw new UsageError(runId === null ? "there is no run of this plan to resume" : "there is no such run", {
      code: "run_not_found",
      where: runId ?? "the store",
      hint: "list the runs with: evalkit runs; start a new one by leaving --resume out",
    })
  }
  if (record.plan !== plan.hash) {
    throw new UsageError("the plan has changed since the run was started", {
      code: "plan_changed",
      where: `run ${record.id}`,
      hint: "the data set, variants, repeats and seed must be as they were; start a new run instead",
    })
  }
  return record
}

/** What a run keeps of a variant. @param store holds the key of what is secret; null: that is left out */
export function variantRecord(variant: Variant, store: Pick<RunStore, "fingerprintKey"> | null): VariantRecord {
  const hidden = store && privateFingerprint(variant.provider, store)
  return {
    name: variant.name,
    model: variant.provider.model,
    provider: variant.provider.kind,
    quantization: variant.provider.quantization ?? null,
    fingerprint: variantFingerprint(variant),
    ...(hidden === null ? {} : { privateFingerprint: hidden }),
    priceSource: variant.price ? `${variant.price.source} (${variant.price.date})` : null,
  }
}

function shownConfig(evaluation: Evaluation): JsonObject {
  const shown = {
    concurrency: evaluation.concurrency,
    timeouts: evaluation.timeouts,
    retry: evaluation.retry,
    budget: evaluation.budget,
    cache: evaluation.cache,
    axes: evaluation.axes,
    constraints: evaluation.constraints,
    ...(evaluation.breaks?.length && { breaks: evaluation.breaks }),
    ...(evaluation.gate.length > 0 && { gate: evaluation.gate }),
    margin: evaluation.margin,
    alpha: evaluation.alpha,
    ...(evaluation.batch ? { batch: evaluation.batch } : {}),
    ...(evaluation.difficultyFrom?.length ? { difficultyFrom: evaluation.difficultyFrom } : {}),
    ...(evaluation.slices ? { slices: evaluation.slices } : {}),
    variants: evaluation.variants.map(({ name, provider, prompt, parameters, price, limits }) => ({
      name,
      provider: provider.identity,
      prompt: prompt.identity,
      parameters,
      price,
      limits,
    })),
  }
  return JSON.parse(JSON.stringify(shown)) as JsonObject
}
