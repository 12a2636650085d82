import { type Figure, unknown } from "../core/report/figure.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { giveBack } from "../stats/mapped-numbers.ts"
import { steadyWindow } from "./load/steady-window.ts"

/** What throughput needs to know of one request. */
interface LoadedRequest {
  readonly segment: number
  readonly sendMs: number
  readonly endMs: number
  readonly answered: boolean
  /** Output tokens; null when they were not counted. */
  readonly tokens: number | null
}

/** Throughput of all requests together, over the steady window of each segment. */
export interface Throughput {
  add(request: LoadedRequest): void
  figures(): { readonly tokensPerSecond: Figure; readonly requestsPerSecond: Figure }
  /** Gives back the memory of what was added, which is forgotten. */
  clear(): void
}

/**
 * Divides what was done inside the steady window (see {@link steadyWindow}) by its length. A request that reaches over an
 * edge of the window counts with the share of its time that lies inside, so that a short run is not biased by where its
 * window happens to end. Only answered requests count.
 *
 * @param slots as in {@link steadyWindow}
 */
export function createThroughput(slots?: number | null): Throughput {
  const segments = new Map<number, ReturnType<typeof emptySegment>>()
  return {
    add({ segment, sendMs, endMs, answered, tokens }) {
      const list = segments.get(segment) ?? emptySegment()
      segments.set(segment, list)
      list.starts.push(sendMs)
      list.ends.push(endMs)
      list.tokens.push(answered ? (tokens ?? uncounted) : Number.NaN)
    },
    figures() {
      const total = { milliseconds: 0, requests: 0, uncounted: 0, tokens: 0 }
      let reason = "run too short: nothing was started"
      for (const list of segments.values()) {
        const requests = { starts: list.starts.values(), ends: list.ends.values(), tokens: list.tokens.values() }
        const window = steadyWindow(requests.starts, requests.ends, slots)
        if (window.status === "known") {
          const counted = inside(requests, window, (tokens) => tokens >= 0)
          const withoutCount = inside(requests, window, (tokens) => tokens === uncounted)
          total.milliseconds += window.endMs - window.startMs
          total.requests += counted.requests + withoutCount.requests
          total.uncounted += withoutCount.requests
          total.tokens += counted.tokens
        } else reason = window.reason
        giveBack(requests.starts, requests.ends, requests.tokens)
      }
      if (total.milliseconds === 0) return { tokensPerSecond: unknown(reason), requestsPerSecond: unknown(reason) }
      if (total.requests === 0) {
        const none = unknown("no request was answered inside the steady window")
        return { tokensPerSecond: none, requestsPerSecond: none }
      }
      const seconds = total.milliseconds / 1000
      const n = Math.round(total.requests)
      const method = `answered inside the steady window of ${seconds.toFixed(2)} s`
      return {
        requestsPerSecond: { status: "known", value: total.requests / seconds, n, method },
        tokensPerSecond:
          total.uncounted > 0
            ? unknown("some answers came without a token count")
            : { status: "known", value: total.tokens / seconds, n, method: `output tokens ${method}` },
      }
    },
    clear() {
      for (const { starts, ends, tokens } of segments.values()) for (const list of [starts, ends, tokens]) list.clear()
      segments.clear()
    },
  }
}

/** In place of the tokens of an answer that nobody counted. */
const uncounted = -1

/** Requests in the order in which they came; tokens NaN where one was not answered. */
function emptySegment() {
  return { starts: createCompactList(), ends: createCompactList(), tokens: createCompactList() }
}

type Segment = { readonly [Name in keyof ReturnType<typeof emptySegment>]: Float64Array }

/** Requests and tokens inside a window, each request by its share, of those that are wanted by their tokens. */
function inside(
  { starts, ends, tokens }: Segment,
  window: { readonly startMs: number; readonly endMs: number },
  isWanted: (tokens: number) => boolean,
): { readonly requests: number; readonly tokens: number } {
  let requestShares = 0
  let tokenShares = 0
  for (let i = 0; i < starts.length; i++) {
    if (!isWanted(tokens[i] as number)) continue
    const start = starts[i] as number
    const end = ends[i] as number
    const within = Math.min(end, window.endMs) - Math.max(start, window.startMs)
    if (within < 0) continue
    const share = end > start ? within / (end - start) : 1
    requestShares += share
    tokenShares += share * (tokens[i] as number)
  }
  return { requests: requestShares, tokens: tokenShares }
}
