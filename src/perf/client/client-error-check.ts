import { type Figure, figureValue } from "../../core/report/figure.ts"
import type { SpeedFigures } from "../../core/report/report.ts"
import type { Slo } from "../bench/slo.ts"
import type { ClientError } from "./self-calibration.ts"

/** A figure that the client's own error is too large for, or the limit of an objective that is nearer than the client can measure. @experimental */
export interface DoubtfulFigure {
  readonly figure: "TTFT p50" | "TTFT p99" | "ITL p50" | "ITL p99" | "SLO limit"
  readonly valueMs: number
  readonly clientErrorMs: number
}

/** A measurement is valid when the client's error is at most this share of every figure that it qualifies. */
const largestErrorShare = 0.05

/**
 * What the client's own error voids, the one rule: a figure that it is over 5 % of, percentiles held against the same percentile of the
 * error, and the objectives where it is over 5 % of one's limit. TPOT and decode speed go with ITL p50. Throughput, rates, times to the end
 * and cost stand.
 *
 * @example doubtfulFigures(speed, { ttftMsP50: 11, … }) // [{ figure: "TTFT p50", valueMs: 200, clientErrorMs: 11 }]
 * @experimental
 */
export function doubtfulFigures(
  speed: Pick<SpeedFigures, "ttftMs" | "itlMs">,
  error: Pick<ClientError, "ttftMsP50" | "ttftMsP99" | "itlMsP50" | "itlMsP99">,
  slo: readonly Slo[] = [],
): readonly DoubtfulFigure[] {
  const pairs: readonly (readonly [DoubtfulFigure["figure"], Figure, number])[] = [
    ["TTFT p50", speed.ttftMs.p50, error.ttftMsP50],
    ["TTFT p99", speed.ttftMs.p99, error.ttftMsP99],
    ["ITL p50", speed.itlMs.p50, error.itlMsP50],
    ["ITL p99", speed.itlMs.p99, error.itlMsP99],
  ]
  const { itlMsP50: tpot, itlMsP99: stop } = error
  const betweenTokens: Partial<Record<Slo["figure"], number>> = { tpot, stop, "itl.max": stop }
  const limits = slo.map(({ figure, maxMs }): DoubtfulFigure => {
    return { figure: "SLO limit", valueMs: maxMs, clientErrorMs: betweenTokens[figure] ?? error.ttftMsP99 }
  })
  const figures = pairs.flatMap(([figure, measured, clientErrorMs]): DoubtfulFigure[] => {
    const valueMs = figureValue(measured)
    return valueMs === null ? [] : [{ figure, valueMs, clientErrorMs }]
  })
  const isTooLarge = ({ valueMs, clientErrorMs }: DoubtfulFigure) => clientErrorMs > largestErrorShare * valueMs
  return [...figures.filter(isTooLarge), ...limits.filter(isTooLarge).slice(0, 1)]
}
