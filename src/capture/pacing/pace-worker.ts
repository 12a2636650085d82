import { hrtime } from "node:process"
import { parentPort, workerData } from "node:worker_threads"
import { noMoment, noMore, type PaceState } from "./pacer.ts"

/** How long before its moment the thread wakes and looks at the clock instead: the system wakes it so much too late. */
const earlyNs = 80_000n

// The thread of a pacer: sleeps until the next moment, says so, and waits for another. It has no event loop of its own to wait for.
const { turn, due } = workerData as PaceState
parentPort?.postMessage(null)
for (;;) {
  const seen = Atomics.load(turn, 0)
  const moment = Atomics.load(due, 0)
  if (moment === noMore) break
  const leftNs = moment - hrtime.bigint()
  if (moment === noMoment) Atomics.wait(turn, 0, seen)
  else if (leftNs > earlyNs) Atomics.wait(turn, 0, seen, Number(leftNs - earlyNs) / 1e6)
  else {
    while (hrtime.bigint() < moment);
    parentPort?.postMessage(null)
    Atomics.wait(turn, 0, seen)
  }
}
