import { EvalkitError, ExitCode } from "./errors.ts"

/** The command was interrupted; what it saved until then is kept. Exit code 130. */
export function interrupted(hint?: string): EvalkitError {
  const facts = { code: "interrupted", exitCode: ExitCode.interrupted }
  return new EvalkitError("interrupted", hint === undefined ? facts : { ...facts, hint })
}

/** Long work gives way to the event loop after so many milliseconds: only there a signal is heard. */
const maxTurnMs = 50

/** See {@link createTurns}. */
export type Turns = () => Promise<void> | undefined

/**
 * What long work calls between two of its steps: now and then it gives way to the event loop, so that an interruption, a timer or a
 * connection gets its turn. Undefined where it is not time yet: then there is nothing to wait for.
 *
 * @param signal ends the work with {@link interrupted} when it is aborted
 * @param graceMs how long the work may go on then, in milliseconds
 * @example
 * const turn = createTurns(signal)
 * for (const answer of answers) { measure(answer); const wait = turn(); if (wait) await wait }
 */
export function createTurns(signal?: AbortSignal, graceMs = 0): Turns {
  let startedMs = performance.now()
  let abortedMs: number | null = null
  return () => {
    if (performance.now() - startedMs < maxTurnMs) return undefined
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        startedMs = performance.now()
        if (signal?.aborted) abortedMs ??= startedMs
        if (abortedMs !== null && startedMs - abortedMs >= graceMs) reject(interrupted())
        else resolve()
      })
    })
  }
}
