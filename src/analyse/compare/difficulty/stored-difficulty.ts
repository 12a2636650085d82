import { UsageError } from "../../../core/errors.ts"
import { contentHash } from "../../../core/json.ts"
import type { RunRecord } from "../../../core/run/run-record.ts"
import type { RunStore } from "../../../core/run/run-store.ts"
import type { Sample } from "../../../core/sample.ts"
import { findRun } from "../../../store/find-run.ts"
import { sampleContent } from "../../source/pair-by-content.ts"
import type { ItemDifficulty } from "./item-difficulty.ts"

/** What {@link storedDifficulty} reads of a store. */
export type DifficultyStore = Pick<RunStore, "runs" | "samples" | "rows">

/**
 * How hard the items of a run were for earlier runs of the same store, by metric. Items are the same where question,
 * reference, choices and context are: ids say nothing. A metric counts where it was computed in the same way.
 *
 * @param names ids of earlier runs, or beginnings of them
 * @param compared runs that are compared; none of them may explain itself
 * @throws UsageError for a run that is not there, that is compared itself, or that began after a compared one
 */
export function storedDifficulty(
  store: DifficultyStore,
  compared: readonly RunRecord[],
  names: readonly string[],
): ReadonlyMap<string, ItemDifficulty> {
  const runs = earlierRuns(store, compared, names)
  if (runs.length === 0) return new Map()
  const contentOf = new Map(compared.flatMap((run) => [...contentsOf(store, run)]))
  const metrics = compared[0]?.metrics ?? []
  return new Map(
    metrics.map(({ name, signature }): [string, ItemDifficulty] => {
      const same = runs.filter((run) =>
        run.metrics.some((metric) => metric.name === name && metric.signature === signature),
      )
      return [name, { runs: same.map(({ id }) => id), scores: scoresOf(store, same, name), contentOf }]
    }),
  )
}

/** The earlier runs that are meant; throws as {@link storedDifficulty} does, without reading their answers. */
export function earlierRuns(
  store: Pick<RunStore, "runs">,
  compared: readonly RunRecord[],
  names: readonly string[],
): readonly RunRecord[] {
  return names.map((name) => earlierRun(store, compared, name))
}

function earlierRun(store: Pick<RunStore, "runs">, compared: readonly RunRecord[], name: string): RunRecord {
  const run = findRun(store, name)
  const hint = "name runs that were made before, such as those of other variants on the same data: evalkit runs"
  if (compared.some(({ id }) => id === run.id))
    throw new UsageError("a run cannot say how hard its own items are", { where: `run ${run.id}`, hint })
  if (compared.some(({ startedAt }) => startedAt <= run.startedAt))
    throw new UsageError("the run was not made before those that are compared", { where: `run ${run.id}`, hint })
  return run
}

function scoresOf(store: DifficultyStore, runs: readonly RunRecord[], metric: string): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const run of runs) {
    const contents = contentsOf(store, run)
    for (const { name } of run.variants)
      for (const { sampleId, value } of store.rows(run.id, name, metric)) {
        const content = contents.get(sampleId)
        if (content === undefined || value === null || !Number.isFinite(value)) continue
        const entry = sums.get(content) ?? { sum: 0, count: 0 }
        sums.set(content, { sum: entry.sum + value, count: entry.count + 1 })
      }
  }
  return new Map([...sums].map(([content, { sum, count }]) => [content, sum / count]))
}

/** What each sample of a run asks and expects, by its id. */
export function contentsOf(store: Pick<RunStore, "samples">, run: RunRecord): ReadonlyMap<string, string> {
  return new Map(Array.from(store.samples(run.dataset.fingerprint), (sample) => [sample.id, contentKey(sample)]))
}

/** What an item is, whatever it is called. */
export function contentKey(sample: Pick<Sample, "input" | "references" | "choices" | "context">): string {
  return contentHash({ ...sampleContent(sample) }, 32)
}
