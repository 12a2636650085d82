import { studentQuantile } from "../../stats/distributions.ts"
import { steadyWindow } from "./steady-window.ts"

/** Parts that a window is cut into: few enough that each holds many requests, many enough for a spread. */
const batches = 10

/** An answered request, as a rate counts it. */
export interface RatedRequest {
  readonly sendMs: number
  readonly endMs: number
  /** What is counted: 1 for requests, the tokens for tokens. */
  readonly amount: number
}

/**
 * An interval of 95 % for a rate per second, by batch means: the steady window is cut into ten parts, whose rates are taken as independent.
 * Requests that follow each other wait together, which shorter parts would not show. A request counts with the share of its time that
 * lies in a part.
 *
 * @returns null where the window is not known, or holds fewer than 30 requests
 */
export function batchRateInterval(
  requests: readonly RatedRequest[],
  slots: number | null | undefined,
): readonly [number, number] | null {
  const window = steadyWindow(
    requests.map(({ sendMs }) => sendMs),
    requests.map(({ endMs }) => endMs),
    slots,
  )
  if (window.status === "unknown" || requests.length < 3 * batches) return null
  const partMs = (window.endMs - window.startMs) / batches
  const sums = new Float64Array(batches)
  for (const { sendMs, endMs, amount } of requests) {
    const from = Math.max(0, Math.floor((sendMs - window.startMs) / partMs))
    const to = Math.min(batches - 1, Math.floor((endMs - window.startMs) / partMs))
    for (let part = from; part <= to; part++) {
      const start = window.startMs + part * partMs
      const within = Math.min(endMs, start + partMs) - Math.max(sendMs, start)
      if (within < 0) continue
      sums[part] = (sums[part] as number) + amount * (endMs > sendMs ? within / (endMs - sendMs) : 1)
    }
  }
  const rates = [...sums].map((sum) => (sum * 1000) / partMs)
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / batches
  const squares = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0)
  const half = studentQuantile(0.975, batches - 1) * Math.sqrt(squares / (batches - 1) / batches)
  return [Math.max(0, mean - half), mean + half]
}
