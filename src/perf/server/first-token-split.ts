import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { ClientTotals } from "../../core/run/server-totals.ts"
import { meanDisagreements, serverMethods, serverReasons } from "../../words/perf/server.ts"
import { assumedErrorMs } from "./disagreements.ts"
import type { ServerWindow } from "./server-window.ts"

/** Where the time to the first token went by a server's metrics, and where they cannot be true together with the client's stamps. */
export interface FirstTokenSplit {
  /** The client's mean, over the answers of the same times. */
  readonly clientMs: Figure
  /** As the server states it, or its time to the first token less its queue. */
  readonly prefillMs: Figure
  /**
   * What the server does not account for: its queue, too, where it states none. Below 0: one of the two is wrong; it is never cut to 0.
   * Unknown where chunks were held back: it would hold time of decoding.
   */
  readonly networkMs: Figure
  readonly disagreements: readonly string[]
}

/**
 * Splits the client's mean time to the first token into queue, prefill and the rest. Means of one set of requests can be subtracted; where the
 * server counted other requests than the client's answers, the rest is not known.
 *
 * @param clientErrorMs the client's own error at this load; null: not measured
 */
export function splitFirstToken(
  { dialect, times, counts }: ServerWindow,
  client: ClientTotals | null,
  clientErrorMs: number | null,
): FirstTokenSplit {
  const clientMs: Figure =
    client && client.answers > 0
      ? { status: "known", value: client.ttftMs / client.answers, n: client.answers, method: serverMethods.clientMean }
      : unknown(serverReasons.noneStreamed)
  const prefillMs = prefillOf({ times })
  const [queue, prefill, first] = [times.queueMs, prefillMs, times.ttftMs].map(figureValue)
  const inServer = first ?? (prefill == null ? null : prefill + (queue ?? 0))
  if (clientMs.status === "unknown" || inServer == null || !client)
    return {
      clientMs,
      prefillMs,
      networkMs: clientMs.status === "unknown" ? clientMs : unknown(serverReasons.noPrefillEnd(dialect)),
      disagreements: [],
    }
  const served = figureValue(counts.requests)
  const others = served === null ? client.requests - client.answers : served - client.answers
  if (others !== 0) return { clientMs, prefillMs, networkMs: unknown(serverReasons.otherRequests), disagreements: [] }
  const method = serverMethods.networkRest(first != null, dialect)
  const rest = clientMs.value - inServer
  const error = clientErrorMs ?? assumedErrorMs
  const decoding = decodingOf({ times, counts }, client)
  const streamMs = (client.e2eMs - client.ttftMs) / client.answers
  const held = decoding === null ? 0 : decoding.decodeMs - decoding.unstreamedMs - streamMs
  const isHeld = held > error
  const networkMs: Figure = isHeld
    ? unknown(serverReasons.heldBack)
    : { status: "known", value: rest, n: client.answers, method }
  const whole = figureValue(times.e2eMs)
  const wholeRest = whole === null ? null : client.e2eMs / client.answers + (decoding?.unstreamedMs ?? 0) - whole
  return {
    clientMs,
    prefillMs,
    networkMs,
    disagreements: meanDisagreements(
      {
        heldMs: isHeld ? held : null,
        earlyMs: rest < -error ? -rest : null,
        lateMs: wholeRest !== null && wholeRest < -error ? -wholeRest : null,
      },
      error,
    ),
  }
}

/**
 * How long the server decoded a request in the mean, and how much of it no stream shows: the end of an answer is a token without a chunk, and the
 * last word may wait for it. Null where the server does not say how long it decoded and how many tokens.
 */
function decodingOf({ times, counts }: Pick<ServerWindow, "times" | "counts">, { answers }: ClientTotals) {
  const [decoded, whole, first, outputTokens] = [times.decodeMs, times.e2eMs, times.ttftMs, counts.outputTokens].map(
    figureValue,
  )
  const decodeMs = decoded ?? (whole == null || first == null ? null : whole - first)
  if (decodeMs === null || outputTokens == null) return null
  const steps = outputTokens / answers - 1
  return { decodeMs, unstreamedMs: steps <= 2 ? decodeMs : (decodeMs * 2) / steps }
}

function prefillOf({ times }: Pick<ServerWindow, "times">): Figure {
  if (times.prefillMs.status === "known" || times.ttftMs.status === "unknown" || times.queueMs.status === "unknown")
    return times.prefillMs
  return { ...times.ttftMs, value: times.ttftMs.value - times.queueMs.value, method: serverMethods.prefill }
}
