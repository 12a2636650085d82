import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** New bytes outside the heap from which looking for unused ones pays: it takes some tenths of a second, or seconds in a large process. */
const muchBytes = 128_000_000
/** What was in use after the last look. */
let usedBytes = 0

let collect: (() => void) | null = null

/**
 * Gives back what nothing refers to any more, between two stages of work on many answers. Their numbers lie in arrays outside of the
 * heap of the language, which by itself looks for unused ones late: hundreds of megabytes were held in vain.
 */
export function collectGarbage(): void {
  const { external } = process.memoryUsage()
  usedBytes = Math.min(usedBytes, external)
  if (external < usedBytes + muchBytes) return
  if (collect === null) {
    // The flag is of contexts that are made from now on: the program's own stays as it is.
    setFlagsFromString("--expose-gc")
    collect = runInNewContext("gc") as () => void
    setFlagsFromString("--no-expose-gc")
  }
  collect()
  usedBytes = process.memoryUsage().external
}
