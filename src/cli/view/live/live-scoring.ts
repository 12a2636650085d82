import type { Generation } from "../../../core/generation.ts"
import type { AnyMetric, RowEntry } from "../../../core/metric/metric.ts"
import type { MetricTools } from "../../../core/metric/metric-tools.ts"
import { isAnswered } from "../../../core/outcome.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import type { Sample } from "../../../core/sample.ts"
import { wilsonRate } from "../../../perf/wilson.ts"
import { measureSafely } from "../../../score/measure-safely.ts"
import { normalQuantile } from "../../../stats/distributions.ts"
import { levelText } from "../../../words/percent.ts"

/** Rows that are kept of a metric that is no mean, at most. */
const maxRows = 5_000
/** A metric that takes longer per answer is left to the run, in milliseconds. */
const slowMs = 25
/** A single answer's measurement is given up after so long, in milliseconds. */
const longestMs = 2_000

/** Scores answers while a run goes on, in the viewer's own process: nothing is written, nobody is asked. */
export interface LiveScoring {
  add(variant: string, sample: Sample, generation: Generation): Promise<void>
  /** The metric over a variant's answers so far. */
  figure(variant: string): Figure
}

/**
 * Whether a metric can be computed from an answer alone: it asks no model or service, and needs no other metric.
 */
export function isCheap({ asks = [], meters = [], uses = [], dependsOn = [] }: AnyMetric): boolean {
  return asks.length + meters.length + uses.length + dependsOn.length === 0
}

/** {@link LiveScoring} by a metric that {@link isCheap}; `alpha` is 1 − the level of its intervals. */
export function createLiveScoring(metric: AnyMetric, alpha: number, signal: AbortSignal): LiveScoring {
  const means = new Map<string, ReturnType<typeof createPartialMean>>()
  const rows = new Map<string, RowEntry<unknown>[]>()
  const isMean = metric.aggregation.kind === "mean"
  let measured = 0
  let spentMs = 0
  let isSlow = false
  let isCut = false
  return {
    async add(variant, sample, generation) {
      if (isSlow || !isAnswered(generation.outcome)) return
      const startedMs = performance.now()
      const checkedMeasurement = await measureSafely(metric, sample, generation, toolsOf(signal), longestMs)
      spentMs += performance.now() - startedMs
      measured++
      isSlow = measured >= 20 && spentMs / measured > slowMs
      if (checkedMeasurement.measured.status === "unscored") return
      if (isMean) {
        if (checkedMeasurement.value === null) return
        const mean = means.get(variant) ?? createPartialMean()
        means.set(variant, mean)
        mean.add(checkedMeasurement.value)
        return
      }
      const own = rows.get(variant) ?? []
      rows.set(variant, own)
      if (own.length >= maxRows) isCut = true
      else own.push({ row: checkedMeasurement.measured.row, sampleId: sample.id, repeat: generation.repeat })
    },
    figure(variant) {
      if (isSlow) return unknown("it takes long to score: shown when the run has scored it")
      if (isMean) return (means.get(variant) ?? createPartialMean()).figure(alpha)
      const own = rows.get(variant) ?? []
      if (own.length === 0) return unknown("no answer is scored yet")
      if (isCut) return unknown(`shown at the end: more than ${maxRows} answers`)
      const { value, reason } = metric.summarise(own, { alpha })
      if (value === null) return unknown(reason ?? "it has no value yet")
      return { status: "known", value, low: null, high: null, n: own.length, method: `${metric.name} so far` }
    },
  }
}

/** What a metric has that may reach nothing. */
function toolsOf(signal: AbortSignal): MetricTools {
  const kept = new Map<string, Awaited<ReturnType<MetricTools["cache"]["get"]>>>()
  return {
    signal,
    seed: 42,
    cache: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
    },
    models: {
      call: () => Promise.reject(new Error("no model is asked while a run is looked at")),
    },
    valueOf: () => undefined,
    candidateModels: [],
  }
}

/** Values of a metric as they come in: their mean, whenever it is asked for. */
interface PartialMean {
  add(value: number): void
  /** Wilson's interval where all values are 0 or 1, else the normal interval of the mean; `alpha` is 1 − its level. */
  figure(alpha: number): Figure
}

/** A {@link PartialMean} of nothing yet. */
function createPartialMean(): PartialMean {
  let n = 0
  let sum = 0
  let squares = 0
  let binary = true
  return {
    add(value) {
      n++
      sum += value
      squares += value * value
      binary &&= value === 0 || value === 1
    },
    figure(alpha) {
      if (n === 0) return unknown("no answer is scored yet")
      if (binary) return wilsonRate(sum, n, undefined, alpha)
      const mean = sum / n
      const variance = Math.max(0, squares / n - mean * mean)
      const half = n < 2 ? null : normalQuantile(1 - alpha / 2) * Math.sqrt(variance / (n - 1))
      const bounds = half === null ? { low: null, high: null } : { low: mean - half, high: mean + half }
      return { status: "known", value: mean, ...bounds, n, method: `mean so far, normal ${levelText(alpha)}` }
    },
  }
}
