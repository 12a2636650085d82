import { setMaxListeners } from "node:events"

/** One call that waits to be worked off together with others. */
interface Waiting<Item, Result> {
  readonly items: readonly Item[]
  readonly signal: AbortSignal | undefined
  resolve(results: Result[]): void
  reject(error: unknown): void
}

/**
 * Joins the calls that arrive in one turn of the event loop into one, with equal items sent once: metrics measure many answers
 * side by side, and models are fastest at many texts at a time. A caller that aborts is let go at once; the joined call is
 * aborted when no caller waits for it any more.
 */
export function coalesce<Item, Result>(
  run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly Result[]>,
): (items: readonly Item[], signal?: AbortSignal) => Promise<Result[]> {
  let waiting: Waiting<Item, Result>[] = []

  async function flush(): Promise<void> {
    const calls = new Set(waiting)
    waiting = []
    const abort = new AbortController()
    const leave = () => {
      for (const call of calls)
        if (call.signal?.aborted) {
          call.reject(call.signal.reason)
          calls.delete(call)
        }
      if (calls.size === 0) abort.abort()
    }
    leave()
    if (calls.size === 0) return
    const signals = new Set([...calls].flatMap(({ signal }) => signal ?? []))
    for (const signal of signals) {
      // The signal of a run has many waiters, which are no leak.
      setMaxListeners(0, signal)
      signal.addEventListener("abort", leave)
    }
    const places = new Map<Item, number>()
    for (const { items } of calls) for (const item of items) if (!places.has(item)) places.set(item, places.size)
    try {
      const results = await run([...places.keys()], abort.signal)
      for (const call of calls) call.resolve(call.items.map((item) => results[places.get(item) as number] as Result))
    } catch (error) {
      for (const call of calls) call.reject(error)
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", leave)
    }
  }

  return (items, signal) =>
    new Promise((resolve, reject) => {
      waiting.push({ items, signal, resolve, reject })
      if (waiting.length === 1) setImmediate(() => void flush())
    })
}
