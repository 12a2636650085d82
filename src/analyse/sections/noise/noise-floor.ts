import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { createRandom } from "../../../core/random.ts"
import type { Change } from "../../../core/report/change.ts"
import type { Comparison } from "../../../core/report/comparison.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { quantileOfSorted } from "../../../perf/percentile.ts"
import { answerPairs } from "../../../rows/answer-pairs.ts"
import { compareCandidates } from "../../compare/compare-candidates.ts"
import { relabelling } from "./relabel.ts"

/** What is compared with what: one variant with itself under another name. */
export interface SelfComparison {
  readonly baseline: ScoredVariant
  readonly copy: ScoredVariant
  readonly evaluation: Pick<
    Evaluation,
    "metrics" | "primary" | "margin" | "marginKind" | "alpha" | "seed" | "missing" | "smallestGain"
  >
  readonly timeErrorMs: number | null
}

/** What a variant differs from itself by. */
export interface NoiseFloor {
  /** Samples and repeats that both were asked and measured. */
  readonly pairs: number
  readonly draws: number
  /** The first primary metric: in so many draws the difference was no larger, in the metric's unit; null where none has a score. */
  readonly quality: number | null
  /** The same of each figure that is paired, as a share. */
  readonly changes: Readonly<Partial<Record<Change["figure"], number>>>
  /** Draws in which the rule granted a swap. */
  readonly swaps: number
  /** Draws in which one of the two was called faster, sooner or cheaper by enough to matter. */
  readonly gains: number
}

/** The share of draws whose difference is no larger than the floor. */
export const floorShare = 0.95

/** Draws: a rate of 5 % is known to ± 3 points. Of long runs fewer, so that they take some seconds. */
const [minDraws, maxDraws, maxPairsDrawn] = [50, 200, 200_000]

/** Fewer pairs than this show no noise. */
const minPairs = 20

/**
 * What two sets of answers of one variant differ by, and how often the rule of the run takes that for a reason to swap: the names of
 * both are drawn anew up to {@link maxDraws} times ({@link relabelling}), and each time everything is decided as in the run, without its
 * limits. Null where too few pairs were both asked: answers from a cache or a record show nothing.
 */
export function noiseFloor({ baseline, copy, evaluation, timeErrorMs }: SelfComparison): NoiseFloor | null {
  const pairs = answerPairs(baseline, copy).filter((pair) => pair.every(({ source }) => source === "measured")).length
  if (pairs < minPairs) return null
  const draws = Math.max(minDraws, Math.min(maxDraws, Math.floor(maxPairsDrawn / pairs)))
  const draw = relabelling(baseline, copy)
  const random = createRandom(`${evaluation.seed}/noise floor`)
  const primary = new Set(evaluation.primary)
  const metrics = evaluation.metrics.filter(({ name }) => primary.has(name))
  const drawn = Array.from({ length: draws }, () => {
    const [first, second] = draw(random)
    const options = { ...evaluation, metrics, timeErrorMs, baseline: first, candidates: [second], isPlanned: false }
    return compareCandidates(options)[0] as Comparison
  })
  const figures = new Set(drawn.flatMap(({ changes = [] }) => changes.map(({ figure }) => figure)))
  const changeOf = (figure: Change["figure"]) =>
    floorOf(
      drawn.flatMap(({ changes = [] }) => changes.flatMap((change) => (change.figure === figure ? change.share : []))),
    )
  return {
    pairs,
    draws,
    quality: floorOf(drawn.flatMap(({ metrics: [first] }) => first?.difference ?? [])),
    changes: Object.fromEntries([...figures].map((figure) => [figure, changeOf(figure)])),
    swaps: drawn.filter(({ verdict }) => verdict === "swap").length,
    gains: drawn.filter(({ changes = [] }) => changes.some(({ isMaterial, share }) => isMaterial && share < 0)).length,
  }
}

function floorOf(differences: readonly number[]): number | null {
  const sizes = Float64Array.from(differences, Math.abs).sort()
  return sizes.length === 0 ? null : quantileOfSorted(sizes, floorShare)
}
