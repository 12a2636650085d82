import { dispatcherFor } from "./proxy.ts"

/** A request that is beside the measurement: to a server's metrics, its clock, a webhook. */
export interface SideRequest extends Omit<RequestInit, "signal"> {
  /** For all of it, the reading of the reply included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/**
 * Makes a request and reads its reply within a time limit that holds. Node's `fetch` never settles where a port takes the connection and closes
 * it without a word, and the timer of `AbortSignal.timeout` does not keep the process alive: it ended as if nothing was waited for.
 *
 * @param read takes what is wanted of the reply; what is left of its body is dropped
 * @throws the error of `fetch`, the signal's reason, or an Error that says after how long nothing had come
 */
export async function requestInTime<Result>(
  url: string | URL,
  { timeoutMs, signal, ...init }: SideRequest,
  read: (response: Response) => Result | Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  let stop: (reason: unknown) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const timer = setTimeout(() => stop(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
  const onAbort = (): void => stop(signal?.reason)
  if (signal?.aborted) onAbort()
  else signal?.addEventListener("abort", onAbort, { once: true })
  const work = async (): Promise<Result> => {
    const dispatcher = await dispatcherFor(url)
    const response = await fetch(url, { ...init, signal: over.signal, ...({ dispatcher } as object) })
    const result = await read(response)
    await response.body?.cancel().catch(() => {})
    return result
  }
  try {
    const working = work()
    working.catch(() => {})
    return await Promise.race([working, stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
    over.abort()
  }
}

/** The text of a reply; null where it is longer than so many characters. */
export async function readBoundedText(response: Response, maxCharacters: number): Promise<string | null> {
  let text = ""
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > maxCharacters) return null
  }
  return text
}
