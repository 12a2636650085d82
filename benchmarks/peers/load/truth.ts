import { quantileOfSorted } from "../../../src/perf/percentile.ts"
import type { Entry } from "./servers.ts"
import type { Figures, Load, Times } from "./tools.ts"

/** What a server knows of its requests. */
export interface Truth {
  readonly truth: Figures
  /** Coefficient of variation of the time between two arrivals; 1 of Poisson's. */
  readonly arrivalCv: number
  readonly arrivalRate: number
  /** By the server's own timings, means in milliseconds: the prompt, and between two tokens. */
  readonly own?: { readonly promptMs: number; readonly tpotMs: number }
}

/**
 * What the server knows of these requests. The throughput of a closed loop is that of the busy slots (Little's law) between its start, until as many
 * answers have ended as there are streams, and its last arrival.
 */
export function truthOf(entries: readonly Entry[], { streams }: Load): Truth {
  const last = ({ sentMs }: Entry) => sentMs.at(-1) as number
  const tokens = ({ timings, sentMs }: Entry) => timings?.predicted_n ?? sentMs.length
  const gaps = (times: readonly number[]) => times.slice(1).map((time, i) => time - (times[i] as number))
  const arrivals = entries.map(({ arrivedMs }) => arrivedMs)
  const between = gaps(arrivals)
  const arrivalRate = 1000 / mean(between)
  const busyMs = mean(entries.map((entry) => last(entry) - entry.beganMs))
  const [from, to] = [entries.map(last).sort((a, b) => a - b)[(streams ?? 1) - 1] as number, arrivals.at(-1) as number]
  const busyIn = entries.map((entry) => Math.max(0, Math.min(last(entry), to) - Math.max(entry.beganMs, from)))
  const busySlots = (mean(busyIn) * entries.length) / (to - from)
  const requestsPerSecond = streams ? (1000 * busySlots) / busyMs : arrivalRate
  const truth: Figures = {
    requests: entries.length,
    ttft: times(entries.map(({ arrivedMs, sentMs }) => (sentMs[0] as number) - arrivedMs)),
    tpot: times(entries.map((entry) => (last(entry) - (entry.sentMs[0] as number)) / (tokens(entry) - 1))),
    itl: times(entries.flatMap(({ sentMs }) => gaps(sentMs))),
    e2e: times(entries.map((entry) => last(entry) - entry.arrivedMs)),
    requestsPerSecond,
    tokensPerSecond: requestsPerSecond * mean(entries.map(tokens)),
  }
  const spread = Math.sqrt(mean(between.map((gap) => (gap - mean(between)) ** 2)))
  const own = entries.flatMap(({ timings }) => timings ?? [])
  return {
    ...{ truth, arrivalRate, arrivalCv: spread / mean(between) },
    ...(own.length > 0 && {
      own: {
        promptMs: mean(own.map((entry) => entry.prompt_ms)),
        tpotMs: mean(own.map((entry) => entry.predicted_ms / (entry.predicted_n - 1))),
      },
    }),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function times(values: readonly number[]): Times {
  const sorted = [...values].sort((a, b) => a - b)
  return [mean(values), quantileOfSorted(sorted, 0.5), quantileOfSorted(sorted, 0.99)]
}
