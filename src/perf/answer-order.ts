import type { Generation } from "../core/generation.ts"
import { createCompactList } from "../stats/compact-list.ts"
import type { DependentValues } from "../stats/intervals/series-quantile.ts"
import type { NumberList } from "../stats/number-list.ts"
import { numberUnits } from "../stats/resampling/units.ts"

/** When answers were asked for, and which are of one sample: what their times may have in common. */
export interface AnswerOrder {
  add(answer: Pick<Generation, "log" | "segment" | "sampleId" | "repeat">): void
  size(): number
  /** Figures of the answers, in the order in which they were added and NaN where unknown, as they depend on each other. */
  series(figures: NumberList): DependentValues
  clear(): void
}

/** An empty {@link AnswerOrder}. */
export function createAnswerOrder(): AnswerOrder {
  const segments = createCompactList()
  const starts = createCompactList()
  const samples = createCompactList()
  let lastSample: string | null = null
  let sample = -1
  let hasRepeats = false
  let order: Uint32Array | null = null
  return {
    add({ log, segment, sampleId, repeat }) {
      // Answers of one sample follow each other.
      if (sampleId !== lastSample) sample++
      lastSample = sampleId
      hasRepeats ||= repeat > 0
      segments.push(segment)
      starts.push(log.sendMs)
      samples.push(sample)
      order = null
    },
    size: () => starts.length,
    series(figures) {
      order ??= orderOf(segments.values(), starts.values())
      const [all, sampleOf] = [figures.values(), hasRepeats ? samples.values() : null]
      const measured = order.filter((i) => !Number.isNaN(all[i]))
      const values = Float64Array.from(measured, (i) => all[i] as number)
      if (!sampleOf) return { values }
      return { values, units: numberUnits(Int32Array.from(measured, (i) => sampleOf[i] as number)) }
    },
    clear() {
      for (const list of [segments, starts, samples]) list.clear()
    },
  }
}

/** Positions in the order of time: stamps of different segments have different origins. */
function orderOf(segments: Float64Array, starts: Float64Array): Uint32Array {
  const at = (i: number, list: Float64Array) => list[i] as number
  return Uint32Array.from(starts.keys()).sort(
    (i, j) => at(i, segments) - at(j, segments) || at(i, starts) - at(j, starts),
  )
}
