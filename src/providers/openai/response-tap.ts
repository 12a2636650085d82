import type { Tap } from "../../capture/recorder.ts"
import { createEventCutter } from "./event-cutter.ts"

/** Events that the reader gets before the event loop may turn to the sockets again: about a millisecond of its work. */
const eventsPerTurn = 64

/** Bytes of several small events that are handed on together: copying them costs less than handing each on by itself. */
const bytesTogether = 4096

/**
 * A tap whose bytes come out as the `Response` that a fetch resolves with. Bytes are handed on an event or a few kilobytes of
 * them at a time, as the reader asks for them: the `openai` package copies all that it holds for each event of a chunk, and
 * searches it again for each chunk of an event, so that a burst or a large event would cost it quadratic time. A burst is handed
 * on in turns of the event loop, for a stamp that waits for the reader is a wrong stamp.
 */
export function createResponseTap(): { readonly tap: Tap; readonly response: Promise<Response> } {
  let resolve: (response: Response) => void
  let reject: (error: Error) => void
  const response = new Promise<Response>((onResponse, onError) => {
    resolve = onResponse
    reject = onError
  })
  const cutter = createEventCutter()
  const arrived: Uint8Array[] = []
  let next = 0
  let ended = false
  let failure: Error | null = null
  let dropped = false
  let wake: () => void = () => {}

  let events: readonly Uint8Array[] = []
  let position = 0
  let handed = 0

  /** The next event, waiting for it, with what follows it closely; null after the last one. */
  const nextEvents = async (): Promise<Uint8Array | null> => {
    for (;;) {
      if (position < events.length) {
        const together = joined(events, position)
        const before = handed
        handed += together.count
        position += together.count
        if (Math.floor(before / eventsPerTurn) < Math.floor(handed / eventsPerTurn))
          await new Promise((later) => setImmediate(later))
        return together.bytes
      }
      const chunk = arrived[next]
      if (chunk) {
        next++
        events = cutter.add(chunk)
        position = 0
        if (next === arrived.length) next = arrived.length = 0
      } else if (failure) throw failure
      else if (ended) {
        const rest = cutter.rest()
        return rest.length > 0 ? rest : null
      } else
        await new Promise<void>((resume) => {
          wake = resume
        })
    }
  }

  const drop = (): void => {
    dropped = true
    arrived.length = 0
  }

  const tap: Tap = {
    head(status, headers) {
      const all = new Headers([...headers])
      if (status >= 200 && status <= 299 && status !== 204 && status !== 205)
        return resolve(answered(status, all, { next: nextEvents, drop }))
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const events = await nextEvents()
          if (events) controller.enqueue(events)
          else controller.close()
        },
        cancel: drop,
      })
      const hasBody = status !== 204 && status !== 205 && status !== 304
      resolve(new Response(hasBody ? body : null, { status, headers: all }))
    },
    data(chunk) {
      if (dropped) return
      arrived.push(chunk)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    fail(error) {
      reject(error)
      failure = error
      wake()
    },
  }
  return { tap, response }
}

/**
 * What the package reads of the response to a request that succeeded, and no more: the stream of a true one costs as much as all
 * else that is done with a short answer.
 */
function answered(
  status: number,
  headers: Headers,
  events: { next(): Promise<Uint8Array | null>; drop(): void },
): Response {
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const value = await events.next()
        return value === null ? { done: true, value: undefined } : { done: false, value }
      },
      async return() {
        events.drop()
        return { done: true, value: undefined }
      },
    }),
  }
  return { ok: true, status, url: "", headers, body } as unknown as Response
}

/** A response to a request that succeeded, without a byte of an answer. */
export function emptyStream(): Response {
  return answered(200, new Headers(), { next: () => Promise.resolve(null), drop() {} })
}

/** Events from one on that stand behind each other in memory, as one piece of at most some kilobytes; at least the first. */
function joined(events: readonly Uint8Array[], from: number): { readonly bytes: Uint8Array; readonly count: number } {
  const first = events[from] as Uint8Array
  let length = first.length
  let count = 1
  for (let next = events[from + 1]; next !== undefined; next = events[from + ++count]) {
    const isBehind = next.buffer === first.buffer && next.byteOffset === first.byteOffset + length
    if (!isBehind || length + next.length > bytesTogether) break
    length += next.length
  }
  return { bytes: count === 1 ? first : new Uint8Array(first.buffer, first.byteOffset, length), count }
}
