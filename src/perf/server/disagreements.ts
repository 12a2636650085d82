import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { SpeedFigures } from "../../core/report/report.ts"
import { medianDisagreements, serverReasons } from "../../words/perf/server.ts"

/** Where the client's own error was not measured, this much is taken for it. */
export const assumedErrorMs = 2

/**
 * Where the client's times and those that the server states cannot both be true, as sentences; empty where they agree within the client's
 * error. Only durations are compared. Nothing is cut to 0: a negative rest is shown as what it is.
 *
 * @param clientErrorMs the client's error at this load (p99); null: not measured
 * @example // the stream took 1 ms at the client, its decoding 400 ms at the server: the chunks were held back
 */
export function serverDisagreements(
  { server }: Pick<SpeedFigures, "server">,
  clientErrorMs: number | null,
): readonly string[] {
  if (!server) return []
  const error = clientErrorMs ?? assumedErrorMs
  const below = (figure: Figure | undefined): number | null => {
    const value = figureValue(figure)
    return value !== null && value < -error ? -value : null
  }
  return medianDisagreements({
    heldMs: below(server.streamLessDecodeMs?.p50),
    earlyMs: below(server.networkMs?.p50),
    lateMs: below(server.beyondServerMs?.p50),
  })
}

/**
 * What of the time to the first token the server does not account for, by its answers' timings: the median; unknown where chunks were held
 * back, since it would hold time of decoding.
 *
 * @param clientErrorMs as of {@link serverDisagreements}
 */
export function restOfFirstTokens(
  { server }: Pick<SpeedFigures, "server">,
  clientErrorMs: number | null,
): Figure | undefined {
  const held = figureValue(server?.streamLessDecodeMs?.p50)
  return held !== null && held < -(clientErrorMs ?? assumedErrorMs)
    ? unknown(serverReasons.heldBack)
    : server?.networkMs?.p50
}
