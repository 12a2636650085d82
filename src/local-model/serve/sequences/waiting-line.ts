import { ApiError } from "../api-error.ts"

/** Requests that wait for something that others have, first come, first served. */
export interface WaitingLine<T> {
  /** Rejects with 429 when the line is full, and with the signal's reason. */
  wait(signal: AbortSignal): Promise<T>
  /** Gives what was had to the next one; false where nobody waits. */
  give(had: T): boolean
  readonly length: number
}

/** A line of at most `most` requests behind `served` that are served at once. */
export function createWaitingLine<T>(max: number, served: number): WaitingLine<T> {
  const waiting: ((had: T) => void)[] = []
  return {
    wait(signal) {
      if (waiting.length >= max) {
        const message = `${served === 1 ? "1 request is" : `${served} requests are`} being served and ${max} ${max === 1 ? "is" : "are"} waiting`
        return Promise.reject(new ApiError(429, message, { code: "queue_full", retryAfterSeconds: 1 }))
      }
      return new Promise((resolve, reject) => {
        const grant = (had: T) => {
          signal.removeEventListener("abort", leave)
          resolve(had)
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(grant), 1)
          reject(signal.reason)
        }
        waiting.push(grant)
        signal.addEventListener("abort", leave, { once: true })
      })
    },
    give(had) {
      const next = waiting.shift()
      next?.(had)
      return next !== undefined
    },
    get length() {
      return waiting.length
    },
  }
}
