import { writeSync } from "node:fs"
import { Script } from "node:vm"
import { workerData } from "node:worker_threads"
import type { HeldThreadSettings } from "./held-thread.ts"

/** The thread that sees whether the main one is held: see {@link watchHeldThread}. It does nothing else, and ends with its process. */
const { shared, notice } = workerData as HeldThreadSettings

/** Milliseconds between two looks, looks without a sign of life after which the thread is held, and after which that is said. */
const lookMs = 1000
const heldLooks = 3
const noticeLooks = 60

// A script that Ctrl-C can break off leaves SIGINT, when it ends, to the system: also where another thread has listeners.
const restore = new Script("0")
let silent = 0
let isSaid = false
for (let last = -1; ; ) {
  Atomics.wait(shared, 1, Atomics.load(shared, 1), lookMs)
  const beat = Atomics.load(shared, 0)
  silent = beat === last ? silent + 1 : 0
  last = beat
  if (silent >= heldLooks && Atomics.load(shared, 1) === 0) {
    restore.runInThisContext({ breakOnSigint: true })
    Atomics.store(shared, 1, 1)
  }
  if (silent < noticeLooks || isSaid) continue
  isSaid = true
  try {
    writeSync(2, notice)
  } catch {
    // There is nowhere to say it.
  }
}
