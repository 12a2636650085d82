import { setFlagsFromString } from "node:v8"
import { Worker, type WorkerOptions } from "node:worker_threads"

/**
 * What V8 reads when it makes a heap, in megabytes; 0: as usual. Most of what a thread that stamps holds is gone after a second or two: with room for
 * the young it is gone before it counts as old, and with room for the old these are not searched every few seconds, for tens of milliseconds in which
 * stamps are late.
 */
const room = { "min-semi-space-size": 16, "initial-old-space-size": 128 }

/** Whoever started this process has said how large heaps are to be. */
const isSaid = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].some((option) =>
  /semi.space|initial.(old|heap)/.test(option),
)

/** Threads that have not made their heaps yet. */
let starting = 0

/**
 * Starts a thread whose heap has room from the start. No option of a thread says so, only V8's flags, which are the process's: other threads that are
 * started in the same milliseconds have the same room.
 */
export function startRoomyWorker(url: URL, options: WorkerOptions): Worker {
  if (isSaid) return new Worker(url, options)
  if (starting++ === 0) setRoom(1)
  let isMade = false
  const made = (): void => {
    if (isMade) return
    isMade = true
    if (--starting === 0) setRoom(0)
  }
  return new Worker(url, options).once("online", made).once("exit", made)
}

function setRoom(share: 0 | 1): void {
  for (const [name, megabytes] of Object.entries(room)) setFlagsFromString(`--${name}=${share * megabytes}`)
}
