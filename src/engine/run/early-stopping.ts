import { createConfidenceSequence } from "../../stats/sequential/confidence-sequence.ts"

/** A primary metric as early stopping needs it: bounded, and a mean over samples. */
export interface StoppingMetric {
  readonly name: string
  readonly direction: "higher" | "lower"
  readonly range: readonly [number, number]
}

/** Options of {@link createStoppingRule}. @public */
export interface StoppingOptions {
  readonly candidates: readonly string[]
  readonly metrics: readonly StoppingMetric[]
  /** In the metrics' own unit. */
  readonly margin: number
  /** Error rate over all comparisons together. */
  readonly alpha: number
  /** Samples below which nothing is decided; 10 by default. */
  readonly fewest?: number
}

/** Where one candidate stands. */
export interface StoppingState {
  readonly candidate: string
  readonly status: "open" | "non_inferior" | "inferior"
  /** Paired samples when it was settled, or so far. */
  readonly samples: number
}

/** Decides, sample by sample, which candidates need no further samples. @public */
export interface StoppingRule {
  /** One sample's paired values, mean over repeats; call it in the seeded order, once per sample and metric. */
  add(candidate: string, metric: string, baseline: number, candidateValue: number): void
  states(): readonly StoppingState[]
  /** Candidates that still need samples; when there are none, neither does the baseline. */
  open(): readonly string[]
  /** What is guaranteed, as a sentence. */
  readonly guarantee: string
}

/**
 * Early stopping that keeps its error rate however often one looks: a confidence sequence per candidate and primary metric
 * on the paired difference, each at alpha / (candidates × metrics). A candidate is settled as inferior when one metric is
 * below −margin, as non-inferior when all are above. Pure: it asks nothing and stores nothing outside itself.
 * @public
 */
export function createStoppingRule(options: StoppingOptions): StoppingRule {
  const { candidates, metrics, margin, alpha, fewest = 10 } = options
  const share = alpha / Math.max(1, candidates.length * metrics.length)
  const settled = new Map<string, StoppingState>()
  const sequences = new Map(
    candidates.map((candidate) => [
      candidate,
      new Map(
        metrics.map(({ name, direction, range }) => {
          const width = range[1] - range[0]
          const sequence = createConfidenceSequence({ range: [-width, width], alpha: share, at: [-margin], grid: 2 })
          return [name, { sequence, sign: direction === "higher" ? 1 : -1 }]
        }),
      ),
    ]),
  )

  const settle = (candidate: string): void => {
    const all = [...(sequences.get(candidate)?.values() ?? [])].map(({ sequence }) => sequence)
    const samples = Math.min(...all.map((sequence) => sequence.count()))
    if (samples < fewest) return
    if (all.some((sequence) => sequence.below(-margin)))
      settled.set(candidate, { candidate, status: "inferior", samples })
    else if (all.every((sequence) => sequence.above(-margin)))
      settled.set(candidate, { candidate, status: "non_inferior", samples })
  }

  return {
    add(candidate, metric, baseline, candidateValue) {
      const entry = sequences.get(candidate)?.get(metric)
      if (!entry || settled.has(candidate)) return
      entry.sequence.add(entry.sign * (candidateValue - baseline))
      settle(candidate)
    },
    states: () =>
      candidates.map((candidate): StoppingState => {
        const counts = [...(sequences.get(candidate)?.values() ?? [])].map(({ sequence }) => sequence.count())
        return settled.get(candidate) ?? { candidate, status: "open", samples: Math.min(...counts) }
      }),
    open: () => candidates.filter((candidate) => !settled.has(candidate)),
    guarantee: `With probability at least ${Number(((1 - alpha) * 100).toFixed(2))} % no candidate is decided wrongly, however often the data are looked at.`,
  }
}

/** Why a metric cannot be stopped on, or null when it can. */
export function stoppingObstacle(metric: {
  readonly name: string
  readonly range: readonly [number, number]
  readonly aggregation: { readonly kind: string }
}): string | null {
  if (metric.aggregation.kind !== "mean") return `${metric.name} is not a mean over samples`
  return Number.isFinite(metric.range[1] - metric.range[0]) ? null : `${metric.name} has no smallest and largest value`
}
