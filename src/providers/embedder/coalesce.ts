/** One call that waits to be worked off together with others. */
interface Waiting<Item, Result> {
  readonly items: readonly Item[]
  readonly signal: AbortSignal | undefined
  resolve(results: Result[]): void
  reject(error: unknown): void
}

/**
 * Joins the calls that arrive in one turn of the event loop into one, with equal items sent once: metrics measure many answers
 * side by side, and models are fastest at many texts at a time. The joined call is aborted when all its callers have aborted.
 */
export function coalesce<Item, Result>(
  run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly Result[]>,
): (items: readonly Item[], signal?: AbortSignal) => Promise<Result[]> {
  let waiting: Waiting<Item, Result>[] = []

  async function flush(): Promise<void> {
    const calls = waiting.filter(({ signal }) => !signal?.aborted)
    waiting = []
    if (calls.length === 0) return
    const places = new Map<Item, number>()
    for (const { items } of calls) for (const item of items) if (!places.has(item)) places.set(item, places.size)
    const abort = new AbortController()
    let left = calls.length
    const leave = () => {
      left--
      if (left === 0) abort.abort()
    }
    for (const { signal } of calls) signal?.addEventListener("abort", leave, { once: true })
    try {
      const results = await run([...places.keys()], abort.signal)
      for (const call of calls) call.resolve(call.items.map((item) => results[places.get(item) as number] as Result))
    } catch (error) {
      for (const call of calls) call.reject(error)
    } finally {
      for (const { signal } of calls) signal?.removeEventListener("abort", leave)
    }
  }

  return (items, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const stop = () => reject(signal?.reason)
      signal?.addEventListener("abort", stop, { once: true })
      const settled = () => signal?.removeEventListener("abort", stop)
      waiting.push({
        items,
        signal,
        resolve(results) {
          settled()
          resolve(results)
        },
        reject(error) {
          settled()
          reject(error)
        },
      })
      if (waiting.length === 1) setImmediate(() => void flush())
    })
}
