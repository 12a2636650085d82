import { setFlagsFromString } from "node:v8"

/** How many keep them off at once. */
let keeping = 0

/**
 * Keeps V8 from searching a heap for what nothing refers to, step by step and in threads beside, only because its own thread is idle: where a thread sleeps
 * so that others are exact, that takes processors from these for a tenth of a second at a time. A heap that is full is still searched, in one go.
 *
 * @returns lets it again
 */
export function disableRegExpOptimizer(): () => void {
  if (keeping++ === 0) setFlagsFromString("--no-incremental-marking")
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    if (--keeping === 0) setFlagsFromString("--incremental-marking")
  }
}
