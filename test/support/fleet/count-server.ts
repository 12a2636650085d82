import { serveLoopback } from "../loopback.ts"

/** A server on loopback that counts what it is asked, by whom, and how often the same. */
export interface CountServer {
  readonly url: string
  /** Requests so far. */
  asked(): number
  /** Requests that had been asked before. */
  askedAgain(): number
  /** Requests of a worker that have no answer yet, or had one moments ago that the worker may not have stored. */
  inFlight(worker: string): number
  close(): Promise<void>
}

/** An answer that went out so lately may not be in the store yet, in milliseconds. */
const storingMs = 1_500

/** Answers every post after a while. */
export async function startCountServer(answerMs: number): Promise<CountServer> {
  const seen = new Map<string, number>()
  const open = new Map<string, Map<object, number>>()
  let asked = 0
  const server = await serveLoopback((request, response, key) => {
    asked++
    seen.set(key, (seen.get(key) ?? 0) + 1)
    const worker = String(request.headers["x-worker"])
    const own = open.get(worker) ?? new Map<object, number>()
    open.set(worker, own)
    own.set(response, Number.POSITIVE_INFINITY)
    setTimeout(() => {
      own.set(response, Date.now())
      response.end("{}")
    }, answerMs)
  })
  return {
    url: server.origin,
    asked: () => asked,
    askedAgain: () => [...seen.values()].reduce((sum, times) => sum + times - 1, 0),
    inFlight(worker) {
      const own = open.get(worker) ?? new Map<object, number>()
      for (const [response, endedMs] of own) if (endedMs < Date.now() - storingMs) own.delete(response)
      return own.size
    },
    close: server.close,
  }
}
