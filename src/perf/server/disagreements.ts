import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { SpeedFigures } from "../../core/report/report.ts"

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
  const held = below(server.streamLessDecodeMs?.p50)
  const early = below(server.networkMs?.p50)
  const late = below(server.beyondServerMs?.p50)
  return [
    ...(held === null
      ? []
      : [
          `client and server disagree: half of the streams took ${short(held)} ms less than the server decoded: chunks were held back, so that the first one came late, and gaps between tokens say nothing of the model`,
        ]),
    ...(early === null
      ? []
      : [
          `client and server disagree: half of the first tokens came ${short(early)} ms before the server says that it had read the prompt`,
        ]),
    ...(late === null
      ? []
      : [
          `client and server disagree: half of the answers ended ${short(late)} ms before the server says that it was done`,
        ]),
  ]
}

/** Why the rest of the time to the first token is not the network's. */
export const heldBackReason = "chunks were held back: what was decoded meanwhile is in the time to the first one"

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
  return held !== null && held < -(clientErrorMs ?? assumedErrorMs) ? unknown(heldBackReason) : server?.networkMs?.p50
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
