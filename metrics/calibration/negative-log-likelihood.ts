import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { logarithmFloor, logLoss } from "../../src/stats/calibration/scoring-rules.ts"
import { calibrationMetric } from "./calibration-metric.ts"
import type { ConfidenceOptions, ConfidenceRow } from "./confidence.ts"
import { meanOver } from "./mean-over.ts"

/**
 * Negative log-likelihood of being right or wrong, in nats (log loss): −ln of the probability that the confidence gave to
 * what happened. A proper score that punishes certain wrong answers hard; confidences are clipped to 2^−52 from 0 and 1.
 *
 * Range 0..36, lower is better. Unscored: `no_confidence`, `no_correctness`.
 *
 * Misleads where one answer was certain and wrong: it outweighs many others. Source: Good 1952.
 *
 * @example
 * // confidences 0.9 (right) and 0.6 (wrong)
 * negativeLogLikelihood() // −(ln 0.9 + ln 0.4) / 2 = 0.5108
 * @public
 */
export function negativeLogLikelihood(options: ConfidenceOptions = {}): Metric<ConfidenceRow> {
  checkOptions("negativeLogLikelihood", options)
  return calibrationMetric({
    options,
    name: "negativeLogLikelihood",
    facts: { log: "natural", floor: "2^-52" },
    direction: "lower",
    range: [0, -Math.log(logarithmFloor)],
    value: (row) => logLoss(row.confidence, row.correct),
    figure: meanOver(logLoss),
  })
}
