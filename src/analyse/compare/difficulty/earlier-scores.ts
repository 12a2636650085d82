import { mergedParts } from "../../../core/run/merged-parts.ts"
import type { RunRecord, VariantRecord } from "../../../core/run/run-record.ts"
import type { RunStore } from "../../../core/run/run-store.ts"
import { noDifficulty } from "../../../wording/difficulty.ts"
import { contentsOf, earlierRuns } from "./stored-difficulty.ts"

/** What earlier runs know of the samples of a run. */
export interface EarlierScores {
  /** Mean score of a sample over the variants and repeats of earlier runs, by sample id. */
  readonly scores: ReadonlyMap<string, number>
  /** Ids of the earlier runs that were read. */
  readonly runs: readonly string[]
  /** Variants of them that were read. */
  readonly variants: number
  /** Whether every score that went in was 0 or 1. */
  readonly isRate: boolean
}

/** Variants of earlier runs that are read, at most, the newest first. */
const maxVariants = 20

/**
 * How other variants did in earlier runs of the store, sample by sample. A variant of the run itself never counts, in whichever run:
 * its samples would look hard because it failed on them.
 *
 * @param names ids of earlier runs; none: those before this one that asked the same data set
 * @returns the reason where there is nothing to read
 */
export function earlierScores(
  store: Pick<RunStore, "runs" | "samples" | "rows" | "eventsOfKinds">,
  record: RunRecord,
  metric: { readonly name: string; readonly signature: string },
  names: readonly string[],
): EarlierScores | string {
  const runs = names.length > 0 ? earlierRuns(store, [record], names) : sameDataset(store, record)
  const sums = new Map<string, { sum: number; count: number }>()
  const used: string[] = []
  let variants = 0
  let isRate = true
  for (const run of runs) {
    if (!run.metrics.some(({ name, signature }) => name === metric.name && signature === metric.signature)) continue
    const others = run.variants.filter((variant) => isOther(variant, record)).slice(0, maxVariants - variants)
    if (others.length === 0) continue
    const idOf = idsIn(store, run, record)
    for (const { name } of others)
      for (const { sampleId, value } of store.rows(run.id, name, metric.name)) {
        const id = idOf(sampleId)
        if (id === undefined || value === null || !Number.isFinite(value)) continue
        isRate &&= value === 0 || value === 1
        const entry = sums.get(id)
        if (entry) {
          entry.sum += value
          entry.count++
        } else sums.set(id, { sum: value, count: 1 })
      }
    used.push(run.id)
    variants += others.length
  }
  if (used.length === 0)
    return noDifficulty.noEarlierRun(metric.name, names.length > 0 ? "these samples" : "this data set")
  const scores = new Map([...sums].map(([id, { sum, count }]) => [id, sum / count]))
  return { scores, runs: used, variants, isRate }
}

function sameDataset(
  store: Pick<RunStore, "runs" | "eventsOfKinds">,
  { dataset, startedAt, id }: RunRecord,
): readonly RunRecord[] {
  const parts = mergedParts(store)
  return store
    .runs()
    .filter(
      (run) =>
        run.id !== id &&
        !parts.has(run.id) &&
        !run.retry &&
        run.dataset.fingerprint === dataset.fingerprint &&
        run.startedAt < startedAt,
    )
}

function isOther({ name, fingerprint }: VariantRecord, { variants }: RunRecord): boolean {
  return variants.every((own) => own.name !== name && own.fingerprint !== fingerprint)
}

/** The id that a sample of an earlier run has in this one: its own in the same data set, else by what it asks and expects. */
function idsIn(
  store: Pick<RunStore, "samples">,
  run: RunRecord,
  record: RunRecord,
): (sampleId: string) => string | undefined {
  if (run.dataset.fingerprint === record.dataset.fingerprint) return (sampleId) => sampleId
  const own = new Map([...contentsOf(store, record)].map(([id, content]) => [content, id]))
  const theirs = contentsOf(store, run)
  return (sampleId) => own.get(theirs.get(sampleId) ?? "")
}
