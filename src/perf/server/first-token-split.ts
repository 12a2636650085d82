import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { ClientTotals } from "../../core/run/server-totals.ts"
import { assumedErrorMs } from "./disagreements.ts"
import type { ServerWindow } from "./server-window.ts"

/** Where the time to the first token went by a server's metrics, and where they cannot be true together with the client's stamps. */
export interface FirstTokenSplit {
  /** The client's mean, over the answers of the same times. */
  readonly clientMs: Figure
  /** As the server states it, or its time to the first token less its queue. */
  readonly prefillMs: Figure
  /** What the server does not account for: its queue, too, where it states none. Below 0: one of the two is wrong; it is never cut to 0. */
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
      ? {
          status: "known",
          value: client.ttftMs / client.answers,
          n: client.answers,
          method: "mean of the client's stamps",
        }
      : unknown("no answer was streamed meanwhile")
  const prefillMs = prefillOf({ times })
  const [queue, prefill, first] = [times.queueMs, prefillMs, times.ttftMs].map(figureValue)
  const inServer = first ?? (prefill == null ? null : prefill + (queue ?? 0))
  if (clientMs.status === "unknown" || inServer == null || !client)
    return {
      clientMs,
      prefillMs,
      networkMs:
        clientMs.status === "unknown" ? clientMs : unknown(`${dialect} does not state when it had read the prompt`),
      disagreements: [],
    }
  const served = figureValue(counts.requests)
  const others = served === null ? client.requests - client.answers : served - client.answers
  if (others !== 0)
    return {
      clientMs,
      prefillMs,
      networkMs: unknown("the server's means are over other requests than the client's answers"),
      disagreements: [],
    }
  const method = `the client's mean less ${first == null ? "queue and prefill" : "the time to the first token"} of ${dialect}'s /metrics`
  const networkMs: Figure = { status: "known", value: clientMs.value - inServer, n: client.answers, method }
  const error = clientErrorMs ?? assumedErrorMs
  const whole = figureValue(times.e2eMs)
  const wholeRest = whole === null ? null : client.e2eMs / client.answers - whole
  return {
    clientMs,
    prefillMs,
    networkMs,
    disagreements: [
      ...(networkMs.value < -error
        ? [
            `client and server disagree: the first token came ${short(-networkMs.value)} ms before the server says that it had read the prompt (means; the client's error is ${short(error)} ms)`,
          ]
        : []),
      ...(wholeRest !== null && wholeRest < -error
        ? [
            `client and server disagree: answers ended ${short(-wholeRest)} ms before the server says that it was done (means; the client's error is ${short(error)} ms)`,
          ]
        : []),
    ],
  }
}

function prefillOf({ times }: Pick<ServerWindow, "times">): Figure {
  if (times.prefillMs.status === "known" || times.ttftMs.status === "unknown" || times.queueMs.status === "unknown")
    return times.prefillMs
  return {
    ...times.ttftMs,
    value: times.ttftMs.value - times.queueMs.value,
    method: "the server's time to the first token less its queue",
  }
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
