import { Worker } from "node:worker_threads"
import { afterEach, expect, it } from "vitest"
import { waitForSignal } from "../../src/platform/wait-for-signal.ts"

const workers: Worker[] = []
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
})

/** A thread that wakes whoever waits a hundred times, and sets the signal only then, if at all. */
async function wakes(sets: boolean): Promise<Int32Array> {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const source = `
    const { workerData, parentPort } = require("node:worker_threads")
    const { signal, sets } = workerData
    const pause = new Int32Array(new SharedArrayBuffer(4))
    parentPort.postMessage("ready")
    for (let i = 0; i < 100; i++) { Atomics.wait(pause, 0, 0, 2); Atomics.notify(signal, 0) }
    if (sets) { Atomics.store(signal, 0, 1); Atomics.notify(signal, 0) }`
  const worker = new Worker(source, { eval: true, workerData: { signal, sets } })
  workers.push(worker)
  await new Promise((resolve) => worker.once("message", resolve))
  return signal
}

it("waits on where it is woken and the signal is not set", async () => {
  const signal = await wakes(true)
  expect(waitForSignal(signal, 20_000)).toBe(true)
  expect(Atomics.load(signal, 0)).toBe(1)
})

it("says that the signal was not set in the time it had", async () => {
  expect(waitForSignal(await wakes(false), 50)).toBe(false)
})

it("does not wait for one that is set already", () => {
  expect(waitForSignal(new Int32Array(new SharedArrayBuffer(4)).fill(1), 0)).toBe(true)
})
