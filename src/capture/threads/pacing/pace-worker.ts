import { readlinkSync, writeFileSync } from "node:fs"
import { hrtime } from "node:process"
import { parentPort, workerData } from "node:worker_threads"
import { noMoment, noMore, type PaceState } from "./pacer.ts"

/** How long before its moment the thread wakes and looks at the clock instead: the system wakes it so much too late. */
const earlyNs = wakesExactly() ? 40_000n : 80_000n

/** Linux wakes a thread up to 50 µs late to save wake-ups, unless the thread itself says otherwise. */
function wakesExactly(): boolean {
  try {
    const own = readlinkSync("/proc/thread-self").split("/").at(-1)
    writeFileSync(`/proc/${own}/timerslack_ns`, "1")
    return true
  } catch {
    return false
  }
}

// The thread of a pacer: sleeps until the next moment, says so, and goes on to the one behind it. It has no event loop of its own to wait for.
const { turn, due, sleepsFor, called } = workerData as PaceState
/** The last moment that it said; those up to it are known to be due. */
let saidNs = 0n
parentPort?.postMessage(null)
for (;;) {
  const seen = Atomics.load(turn, 0)
  if (due[0] === noMore) break
  const passedNs = (called[0] as bigint) > saidNs ? (called[0] as bigint) : saidNs
  const moment = due.find((dueNs) => dueNs > passedNs) ?? noMoment
  const leftNs = moment - hrtime.bigint()
  // Whoever changes the list from here on finds what the thread sleeps for, or keeps it from falling asleep.
  Atomics.store(sleepsFor, 0, moment)
  if (moment === noMoment) Atomics.wait(turn, 0, seen)
  else if (leftNs > earlyNs) Atomics.wait(turn, 0, seen, Number(leftNs - earlyNs) / 1e6)
  else if (Atomics.load(turn, 0) === seen) {
    while (hrtime.bigint() < moment);
    saidNs = moment
    parentPort?.postMessage(null)
  }
}
