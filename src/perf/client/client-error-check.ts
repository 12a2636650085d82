import { type Figure, figureValue } from "../../core/report/figure.ts"
import type { SpeedFigures } from "../../core/report/report.ts"
import type { ClientError } from "./self-calibration.ts"

/** A figure that the client's own error is too large for. */
export interface DoubtfulFigure {
  /** `TTFT p99` */
  readonly figure: string
  readonly valueMs: number
  readonly clientErrorMs: number
}

/** A measurement is valid when the client's error is at most this share of every figure that it qualifies. */
const largestErrorShare = 0.05

/**
 * The figures whose client error is over 5 % of their value: any of them marks the run invalid. Percentiles are held
 * against the same percentile of the error.
 *
 * @example doubtfulFigures(speed, { ttftMsP50: 11, … }) // [{ figure: "TTFT p50", valueMs: 200, clientErrorMs: 11 }]
 * @experimental
 */
export function doubtfulFigures(
  speed: Pick<SpeedFigures, "ttftMs" | "itlMs">,
  error: Pick<ClientError, "ttftMsP50" | "ttftMsP99" | "itlMsP50" | "itlMsP99">,
): readonly DoubtfulFigure[] {
  const pairs: readonly (readonly [string, Figure, number])[] = [
    ["TTFT p50", speed.ttftMs.p50, error.ttftMsP50],
    ["TTFT p99", speed.ttftMs.p99, error.ttftMsP99],
    ["ITL p50", speed.itlMs.p50, error.itlMsP50],
    ["ITL p99", speed.itlMs.p99, error.itlMsP99],
  ]
  return pairs.flatMap(([figure, measured, clientErrorMs]) => {
    const valueMs = figureValue(measured)
    return valueMs !== null && clientErrorMs > largestErrorShare * valueMs ? [{ figure, valueMs, clientErrorMs }] : []
  })
}
