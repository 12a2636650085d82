import { readlinkSync } from "node:fs"
import { setPriority } from "node:os"

/** Below that of what somebody waits for, and above that of nothing at all. */
const behind = 10

/** Lets all other threads of the machine go before this one, where the system knows priorities of threads (Linux); else nothing happens. */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), behind)
  } catch {
    // Another system, or one without /proc: threads are equals there.
  }
}
