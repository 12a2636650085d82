import { UsageError } from "../../core/errors.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRow, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { RunRecord } from "../../core/run-record.ts"
import type { RunStore } from "../../core/run-store.ts"
import { splitOf } from "../../core/sample.ts"
import { findRun } from "../report/find-run.ts"
import { storedMetric } from "../report/stored-metric.ts"
import { factsOf, type SampleSplits } from "../report/summarise.ts"
import { sequentialDesign } from "../run/stopped-early.ts"
import type { CompareSource } from "./file-source.ts"

/** One side of a comparison: a variant of a run. */
export interface StoredSide {
  readonly run: RunRecord
  readonly variant: string
}

/**
 * Two sides of the store: `A B` are variants of one run (the newest, or `--run`), `RUN:VARIANT` names any other, and two
 * runs alone compare the one variant that both have.
 *
 * @param loadMetrics the metrics of a run's config, when it can be loaded: corpus metrics need their code
 */
export async function storedSource(
  names: readonly [string, string],
  store: RunStore,
  wantedRun: string | undefined,
  loadMetrics: (run: RunRecord) => Promise<readonly AnyMetric[]>,
): Promise<CompareSource> {
  const [a, b] = findSides(names, store, wantedRun)
  const notes: string[] = []
  if (a.run.dataset.fingerprint !== b.run.dataset.fingerprint)
    notes.push(
      `the runs used different data sets (${a.run.dataset.name}, ${b.run.dataset.name}); shared ids are paired`,
    )
  const loaded = await loadMetrics(b.run)
  const records = b.run.metrics.filter((metric) => a.run.metrics.some(({ name }) => name === metric.name))
  const metrics = records.map((record) => {
    const metric = loaded.find(({ name, signature }) => name === record.name && signature === record.signature)
    const signatureA = a.run.metrics.find(({ name }) => name === record.name)?.signature
    if (signatureA !== record.signature)
      notes.push(`${record.name} was computed differently: ${signatureA} and ${record.signature}`)
    if (!metric) notes.push(`${record.name}: mean of its stored values, since its config could not be loaded`)
    return { metric: metric ?? storedMetric(record), stored: !metric }
  })
  const flat = new Set(metrics.filter(({ stored }) => stored).map(({ metric }) => metric.name))
  const label = (side: StoredSide) => (a.variant === b.variant ? `${side.variant} (run ${side.run.id})` : side.variant)
  return {
    baseline: storedVariant(store, a, label(a), flat),
    candidate: storedVariant(store, b, label(b), flat),
    metrics: metrics.map(({ metric }) => metric),
    primary: records.filter(({ primary }) => primary).map(({ name }) => name),
    margin: b.run.margin,
    alpha: b.run.alpha,
    seed: b.run.seed,
    notes,
    sequential: sequentialDesign(store, a.run) ?? sequentialDesign(store, b.run),
  }
}

function findSides(
  names: readonly [string, string],
  store: RunStore,
  wantedRun: string | undefined,
): [StoredSide, StoredSide] {
  const sides = names.map((name): { run: RunRecord; variant: string | null } => {
    const split = name.lastIndexOf(":")
    if (split >= 0) return { run: findRun(store, name.slice(0, split)), variant: name.slice(split + 1) }
    const home = wantedRun === undefined && store.runs().length === 0 ? null : findRun(store, wantedRun)
    if (home?.variants.some((variant) => variant.name === name)) return { run: home, variant: name }
    return { run: findRun(store, name), variant: null }
  })
  const [first, second] = sides as [(typeof sides)[number], (typeof sides)[number]]
  const shared = first.run.variants.filter(({ name }) => second.run.variants.some((other) => other.name === name))
  return [first, second].map(({ run, variant }): StoredSide => {
    const chosen = variant ?? (shared.length === 1 ? (shared[0]?.name as string) : null)
    if (chosen === null || !run.variants.some(({ name }) => name === chosen))
      throw new UsageError(chosen === null ? "name a variant of the run" : `the run has no variant "${chosen}"`, {
        where: `run ${run.id}`,
        hint: `write ${run.id}:NAME with one of: ${run.variants.map(({ name }) => name).join(", ")}`,
      })
    return { run, variant: chosen }
  }) as [StoredSide, StoredSide]
}

/** A variant of the store; rows of `flat` metrics are their values. */
export function storedVariant(
  store: RunStore,
  { run, variant }: StoredSide,
  name: string,
  flat: ReadonlySet<string>,
): ScoredVariant {
  const splits: SampleSplits = new Map(
    [...store.samples(run.dataset.fingerprint)].map((sample) => [sample.id, splitOf(sample)]),
  )
  const rows = run.metrics.map(({ name: metric }): [string, MetricRow[]] => [
    metric,
    [...store.rows(run.id, variant, metric)].map(({ sampleId, repeat, measured, value }) => ({
      sampleId,
      repeat,
      value,
      ...splits.get(sampleId),
      measured: flat.has(metric) && value !== null ? { status: "scored", row: value } : measured,
    })),
  ])
  const answers = [...store.generations(run.id, variant)].map((generation) => factsOf(generation, splits))
  return { name, answers, rows: new Map(rows) }
}
