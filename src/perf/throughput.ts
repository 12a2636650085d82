import { type Figure, unknown } from "../core/figure.ts"
import { createNumberList } from "./number-list.ts"
import { steadyWindow } from "./steady-window.ts"

/** What throughput needs to know of one request. */
export interface LoadedRequest {
  readonly segment: number
  readonly sendMs: number
  readonly endMs: number
  readonly answered: boolean
  /** Output tokens; null when nobody counted. */
  readonly tokens: number | null
}

/** Throughput of all requests together, over the steady window of each segment. */
export interface Throughput {
  add(request: LoadedRequest): void
  figures(): { readonly tokensPerSecond: Figure; readonly requestsPerSecond: Figure }
}

/**
 * Counts what completed inside the steady window (see {@link steadyWindow}) and divides by its length. A request is
 * inside when it ends after the window opens and not after it closes; only answered requests count.
 *
 * @param slots as in {@link steadyWindow}
 */
export function createThroughput(slots?: number | null): Throughput {
  const segments = new Map<number, Segment>()
  return {
    add({ segment, sendMs, endMs, answered, tokens }) {
      const list = segments.get(segment) ?? emptySegment()
      segments.set(segment, list)
      list.starts.push(sendMs)
      list.ends.push(endMs)
      if (!answered) return
      if (tokens === null) list.uncountedEnds.push(endMs)
      else {
        list.countedEnds.push(endMs)
        list.tokens.push(tokens)
      }
    },
    figures() {
      const total = { milliseconds: 0, counted: 0, uncounted: 0, tokens: 0 }
      let reason = "run too short: nothing was started"
      for (const list of segments.values()) {
        const window = steadyWindow(list.starts.values(), list.ends.values(), slots)
        if (window.status === "unknown") {
          reason = window.reason
          continue
        }
        const isInside = (endMs: number) => endMs > window.startMs && endMs <= window.endMs
        const tokens = list.tokens.values()
        total.milliseconds += window.endMs - window.startMs
        total.uncounted += list.uncountedEnds.values().filter(isInside).length
        list.countedEnds.values().forEach((endMs, i) => {
          if (!isInside(endMs)) return
          total.counted++
          total.tokens += tokens[i] as number
        })
      }
      if (total.milliseconds === 0) return { tokensPerSecond: unknown(reason), requestsPerSecond: unknown(reason) }
      const seconds = total.milliseconds / 1000
      const requests = total.counted + total.uncounted
      const method = `completed inside the steady window of ${seconds.toFixed(2)} s`
      return {
        requestsPerSecond: { status: "known", value: requests / seconds, n: requests, method },
        tokensPerSecond:
          total.uncounted > 0
            ? unknown(`${total.uncounted} of ${requests} answers came without a token count`)
            : { status: "known", value: total.tokens / seconds, n: requests, method: `tokens ${method}` },
      }
    },
  }
}

type Segment = ReturnType<typeof emptySegment>

function emptySegment() {
  return {
    starts: createNumberList(),
    ends: createNumberList(),
    countedEnds: createNumberList(),
    tokens: createNumberList(),
    uncountedEnds: createNumberList(),
  }
}
