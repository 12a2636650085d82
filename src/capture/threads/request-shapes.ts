import type { RequestShape, WorkerCommand } from "./worker-messages.ts"

/** Numbers for what many requests have in common, so that it is handed over once. */
export interface RequestShapes {
  /** The number of a shape; `send` is called before with one that the thread does not know. */
  numberOf(shape: RequestShape): number
}

/** Shapes that are known at once: endpoints have few. */
const maxShapes = 256

export function createRequestShapes(send: (command: WorkerCommand) => void): RequestShapes {
  const numbers = new Map<string, number>()
  let next = 0
  let last: RequestShape | null = null
  let lastNumber = 0
  return {
    numberOf(shape) {
      if (last !== null && isSame(shape, last)) return lastNumber
      const { endpoint, method, path, headers, timeouts, maxAnswerBytes } = shape
      const key = JSON.stringify([endpoint, method, path, headers, timeouts, maxAnswerBytes])
      let number = numbers.get(key)
      if (number === undefined) {
        if (numbers.size >= maxShapes) numbers.clear()
        number = next++ % maxShapes
        numbers.set(key, number)
        send({ kind: "shape", number, shape: { endpoint, method, path, headers, timeouts, maxAnswerBytes } })
      }
      last = shape
      lastNumber = number
      return number
    },
  }
}

/** Whether two are the same without a look into them. */
function isSame(requestShape: RequestShape, other: RequestShape): boolean {
  return (
    requestShape.endpoint === other.endpoint &&
    requestShape.method === other.method &&
    requestShape.path === other.path &&
    requestShape.headers === other.headers &&
    requestShape.timeouts === other.timeouts &&
    requestShape.maxAnswerBytes === other.maxAnswerBytes
  )
}
