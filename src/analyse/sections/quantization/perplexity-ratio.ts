import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { createRandom } from "../../../core/random.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { sideBySide } from "../../../estimate/paired-estimate.ts"
import { unitVectors } from "../../../estimate/unit-vectors.ts"
import { alignRows } from "../../../rows/align.ts"
import { pairsBehind } from "../../../rows/pair-columns.ts"
import { rowsOf } from "../../../rows/rows-of.ts"
import { percentileInterval } from "../../../stats/resampling/bootstrap-interval.ts"
import { bootstrapVectors, sumOfRows } from "../../../stats/resampling/bootstrap-vectors.ts"
import { methods } from "../../../wording/methods.ts"
import { noFigure } from "../../../wording/reasons.ts"

const resamples = 1000

const how = noFigure.howTexts

/** By how much the candidate's perplexity of the same given texts differs, as a share of the reference's. */
export function perplexityRatio(
  reference: ScoredVariant,
  candidate: ScoredVariant,
  { metrics, alpha, seed }: Pick<Evaluation, "metrics" | "alpha" | "seed">,
): Figure {
  const metric = metrics.find(({ recipe }) => recipe?.metric === "perplexity")
  if (metric?.aggregation.kind !== "sum") return unknown(noFigure.noTexts(how))
  const { pairs } = alignRows(rowsOf(reference, metric.name), rowsOf(candidate, metric.name))
  if (pairs.length === 0) return unknown(noFigure.noBothTexts(how))
  const { aggregation } = metric
  const { size, score } = aggregation
  const columns = pairsBehind(pairs)
  const units = columns.units()
  const vectors = (side: "baseline" | "candidate") => unitVectors(aggregation, columns[side].row, units).data
  const both = sideBySide(vectors("baseline"), vectors("candidate"), size)
  const change = (sums: Float64Array) => score(sums.subarray(size)) / score(sums.subarray(0, size)) - 1
  const count = units.count
  const bounds =
    count < 2
      ? { low: null, high: null }
      : percentileInterval(bootstrapVectors(both, change, resamples, createRandom(`${seed}/quantization`)), alpha)
  return {
    status: "known",
    value: change(sumOfRows(both)),
    ...bounds,
    n: pairs.length,
    method: methods.perplexityBootstrap(count, seed),
  }
}
