import type { Tap } from "../../capture/recorder.ts"

const lineFeed = 10
const carriageReturn = 13

/**
 * A tap whose bytes come out as the `Response` that a fetch resolves with. Bytes are handed on at the end of an event:
 * the `openai` package searches all that it holds again for each piece, so that one large event in many pieces would cost
 * it quadratic time.
 */
export function createResponseTap(): { readonly tap: Tap; readonly response: Promise<Response> } {
  let resolve: (response: Response) => void
  let reject: (error: Error) => void
  const response = new Promise<Response>((onResponse, onError) => {
    resolve = onResponse
    reject = onError
  })
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  let held: Uint8Array[] = []

  const release = (): void => {
    if (held.length === 0) return
    controller?.enqueue(held.length === 1 ? held[0]! : Buffer.concat(held))
    held = []
  }

  const tap: Tap = {
    head(status, headers) {
      const hasBody = status !== 204 && status !== 205 && status !== 304
      const body = new ReadableStream<Uint8Array>({
        start: (created) => {
          controller = created
        },
        cancel: () => {
          controller = null
        },
      })
      resolve(new Response(hasBody ? body : null, { status, headers: [...headers] }))
    },
    data(chunk) {
      held.push(chunk)
      if (endsEvent(chunk)) release()
    },
    end() {
      release()
      controller?.close()
    },
    fail(error) {
      reject(error)
      controller?.error(error)
    },
  }
  return { tap, response }
}

/** A blank line ends an event. A chunk too short to tell is held back until more comes or the body ends. */
function endsEvent(chunk: Uint8Array): boolean {
  const last = chunk.at(-1)
  const previous = chunk.at(-2)
  return last === lineFeed
    ? previous === lineFeed || previous === carriageReturn
    : last === carriageReturn && previous === last
}
