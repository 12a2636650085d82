import type { Answer } from "../../core/generation.ts"
import type { RequestOptions } from "../../core/provider.ts"

/** The time limits of one call through a client that has none of ours. */
export interface Deadline {
  /** Aborts when a limit is over or the run is interrupted. */
  readonly signal: AbortSignal
  /** The same promise, rejected when a limit is over or the run is interrupted, also where the client does not listen. */
  within<Value>(work: PromiseLike<Value>): Promise<Value>
  /** The first part of the answer is there. */
  begun(): void
  /** Something came. */
  moved(): void
  /** The limit that is over; null where none is. */
  passed(): (Pick<Answer, "outcome"> & Partial<Answer>) | null
  end(): void
}

type Limit = "timeout_first_token" | "timeout_gap" | "timeout_total"

/** The limits of a request: first token, gap and total. How long connecting took cannot be seen, and is part of the first token. */
export function deadlineOf({ signal, timeouts }: Pick<RequestOptions, "signal" | "timeouts">): Deadline {
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  let passed: Limit | null = null
  let stop = (): void => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error("stopped"))
  })
  stopped.catch(() => {})
  both.addEventListener("abort", stop, { once: true })
  if (both.aborted) stop()
  const pass = (limit: Limit) => () => {
    passed ??= limit
    over.abort()
  }
  const after = (limit: Limit, ms: number) => setTimeout(pass(limit), Math.min(ms, 2 ** 31 - 1))
  const total = after("timeout_total", timeouts.totalMs)
  let next = after("timeout_first_token", timeouts.firstTokenMs)
  let hasBegun = false
  const restart = () => {
    if (!hasBegun) return
    clearTimeout(next)
    next = after("timeout_gap", timeouts.gapMs)
  }
  const words: Readonly<Record<Limit, string>> = {
    timeout_first_token: `no token after ${timeouts.firstTokenMs} ms`,
    timeout_gap: `nothing more for ${timeouts.gapMs} ms inside the answer`,
    timeout_total: `not finished after ${timeouts.totalMs} ms`,
  }
  return {
    signal: both,
    within: (work) => Promise.race([work, stopped]),
    begun() {
      hasBegun = true
      restart()
    },
    moved: restart,
    passed: () => (passed === null ? null : { outcome: passed, failure: { message: words[passed] } }),
    end() {
      clearTimeout(total)
      clearTimeout(next)
      both.removeEventListener("abort", stop)
      over.abort()
    },
  }
}
