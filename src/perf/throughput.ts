import { type Figure, unknown } from "../core/report/figure.ts"
import { createNumberList } from "../stats/number-list.ts"
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
}

/**
 * Divides what was done inside the steady window (see {@link steadyWindow}) by its length. A request that reaches over an
 * edge of the window counts with the share of its time that lies inside, so that a short run is not biased by where its
 * window happens to end. Only answered requests count.
 *
 * @param slots as in {@link steadyWindow}
 * @param expected how many requests there will be, where that is known
 */
export function createThroughput(slots?: number | null, expected = 0): Throughput {
  const segments = new Map<number, Segment>()
  return {
    add({ segment, sendMs, endMs, answered, tokens }) {
      const list = segments.get(segment) ?? emptySegment(segments.size === 0 ? expected : 0)
      segments.set(segment, list)
      list.starts.push(sendMs)
      list.ends.push(endMs)
      if (!answered) return
      const answers = tokens === null ? list.uncounted : list.counted
      answers.starts.push(sendMs)
      answers.ends.push(endMs)
      answers.tokens.push(tokens ?? 0)
    },
    figures() {
      const total = { milliseconds: 0, requests: 0, uncounted: 0, tokens: 0 }
      let reason = "run too short: nothing was started"
      for (const list of segments.values()) {
        const window = steadyWindow(list.starts.values(), list.ends.values(), slots)
        if (window.status === "unknown") {
          reason = window.reason
          continue
        }
        const counted = inside(list.counted, window)
        const uncounted = inside(list.uncounted, window)
        total.milliseconds += window.endMs - window.startMs
        total.requests += counted.requests + uncounted.requests
        total.uncounted += uncounted.requests
        total.tokens += counted.tokens
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
  }
}

type Segment = ReturnType<typeof emptySegment>
type Answers = ReturnType<typeof emptyAnswers>

function emptySegment(expected: number) {
  return {
    starts: createNumberList(expected),
    ends: createNumberList(expected),
    counted: emptyAnswers(expected),
    uncounted: emptyAnswers(0),
  }
}

function emptyAnswers(expected: number) {
  return {
    starts: createNumberList(expected),
    ends: createNumberList(expected),
    tokens: createNumberList(expected),
  }
}

/** Requests and tokens inside a window, each request by its share. */
function inside(
  answers: Answers,
  window: { readonly startMs: number; readonly endMs: number },
): { readonly requests: number; readonly tokens: number } {
  const starts = answers.starts.values()
  const ends = answers.ends.values()
  const tokens = answers.tokens.values()
  let requestShares = 0
  let tokenShares = 0
  for (let i = 0; i < starts.length; i++) {
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
