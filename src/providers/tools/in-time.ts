/** What work brought, or that it did not end in time. */
export type InTime<Value> = { readonly isLate: false; readonly value: Value } | { readonly isLate: true }

/**
 * Runs work with a signal that is aborted after a time, or with the outer one. Work that does not listen is left behind, and what it
 * brings later is dropped.
 */
export async function inTime<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  outer: AbortSignal,
  limitMs: number,
): Promise<InTime<Value>> {
  const over = new AbortController()
  const signal = AbortSignal.any([outer, over.signal])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<InTime<Value>>((resolve) => {
    timer = setTimeout(() => {
      resolve({ isLate: true })
      over.abort(new Error("the time of the tool is over"))
    }, limitMs)
  })
  try {
    const working = (async (): Promise<InTime<Value>> => ({ isLate: false, value: await work(signal) }))()
    working.catch(() => {})
    return await Promise.race([working, late])
  } finally {
    clearTimeout(timer)
  }
}
