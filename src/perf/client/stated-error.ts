import type { ClientLoad } from "../../core/client-load.ts"
import { percentileFigure } from "../percentile.ts"
import type { ClientError } from "./self-calibration.ts"

/**
 * The percentile of an error that is stated: the upper end of its interval (order statistics, 95 %). The load that it is stated of is another than the
 * one that it was measured at, and a percentile that lies as often above as below would be wrong half of the time. The largest value where
 * there are too few for an interval.
 *
 * @param sorted ascending, not empty
 */
export function statedPercentile(sorted: Float64Array, percent: number): number {
  const figure = percentileFigure(sorted, percent)
  return (figure.status === "known" ? figure.high : null) ?? (sorted.at(-1) as number)
}

/** Parts of a calibration whose percentiles are looked at by themselves. */
const parts = 4

/**
 * {@link statedPercentile} of the worst quarter of the time. Errors that follow each other have
 * their causes in common, so that the interval of all of them together is too narrow for what another load will meet.
 *
 * @param inOrder in the order in which they came about, not empty
 */
export function statedOfWorstQuarter(inOrder: Float64Array, percent: number): number {
  const length = Math.ceil(inOrder.length / parts)
  const stated = Array.from({ length: Math.ceil(inOrder.length / length) }, (_, part) =>
    statedPercentile(inOrder.slice(part * length, (part + 1) * length).sort(), percent),
  )
  return Math.max(...stated)
}

/**
 * The client's error, no smaller than what the load itself has shown of it: how late the client sent requests that were due and had an open
 * connection. A thread that is late to send is as late to stamp what comes.
 *
 * @param lateness milliseconds, ascending; empty: nothing was due at a stated moment
 */
export function withSeenLateness(error: ClientError, lateness: Float64Array): ClientError {
  if (lateness.length === 0) return error
  const [p50, p99] = [statedPercentile(lateness, 50), statedPercentile(lateness, 99)]
  return {
    ...error,
    ttftMsP50: Math.max(error.ttftMsP50, p50),
    ttftMsP99: Math.max(error.ttftMsP99, p99),
    itlMsP99: Math.max(error.itlMsP99, p99),
  }
}

/**
 * The client's error, larger by what the event loop that stamped was later during the load than while the error was measured: the machine may have had
 * other work by then.
 *
 * @param load what that loop went through during the load
 */
export function withSeenDelay(error: ClientError, load: Pick<ClientLoad, "eventLoopDelayMsP99">): ClientError {
  const moreMs = Math.max(0, load.eventLoopDelayMsP99 - error.load.eventLoopDelayMsP99)
  return { ...error, ttftMsP99: error.ttftMsP99 + moreMs, itlMsP99: error.itlMsP99 + moreMs }
}

/** The larger error of several paths, figure by figure, under the load of the last; null where one was not measured. */
export function worstError(errors: readonly (ClientError | null)[]): ClientError | null {
  return errors.reduce((worst, error) => {
    if (worst === null || error === null) return null
    return {
      ...error,
      ttftMsP50: Math.max(worst.ttftMsP50, error.ttftMsP50),
      ttftMsP99: Math.max(worst.ttftMsP99, error.ttftMsP99),
      itlMsP50: Math.max(worst.itlMsP50, error.itlMsP50),
      itlMsP99: Math.max(worst.itlMsP99, error.itlMsP99),
    }
  }, errors[0] ?? null)
}
