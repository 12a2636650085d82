import { fork } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getLlama, LlamaLogLevel } from "node-llama-cpp"
import { expect, it } from "vitest"
import { withoutTrial } from "../../../src/local-model/serve/without-trial.ts"

/** Counts the processes that are begun by `fork` while `work` runs, of whatever file. */
async function forksDuring(work: () => Promise<unknown>): Promise<number> {
  const { ChildProcess } = await import("node:child_process")
  const { prototype } = ChildProcess as unknown as { prototype: { spawn(...call: unknown[]): unknown } }
  const { spawn } = prototype
  let started = 0
  prototype.spawn = function (...call: unknown[]) {
    started++
    return spawn.apply(this, call)
  }
  try {
    await work()
  } finally {
    prototype.spawn = spawn
  }
  return started
}

const load = () =>
  getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1, logLevel: LlamaLogLevel.error })

it("loads the binding without a process for its trial, which it has by itself", async () => {
  const loaded: { dispose(): Promise<void> }[] = []
  const alone = await forksDuring(async () => loaded.push(await load()))
  const without = await forksDuring(async () => loaded.push(await withoutTrial(load)))
  for (const one of loaded) await one.dispose()
  expect(alone).toBeGreaterThan(0)
  expect(without).toBe(0)
}, 30_000)

it("gives the trial to a binding that speaks with it in another way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evalkit-trial-"))
  const file = join(folder, "testBindingBinary.js")
  await writeFile(file, `process.on("message", () => process.exit(0)); process.send({ type: "ready" })`)
  const seen: string[] = []
  const speak = () =>
    new Promise<string>((resolve, reject) => {
      const child = fork(file)
      child.on("message", () => child.send({ type: "a new question" }))
      child.on("exit", (code) => {
        seen.push(`exit ${code}`)
        code === 0 ? resolve("loaded") : reject(new Error("not compatible"))
      })
    })
  expect(await withoutTrial(speak)).toBe("loaded")
  expect(seen).toEqual(["exit 1", "exit 0"])
  await rm(folder, { recursive: true, force: true })
})

it("hands on what fails without a trial, once, and leaves fork as it was", async () => {
  let calls = 0
  const before = fork
  await expect(
    withoutTrial(async () => {
      calls++
      throw new Error("no binary for this machine")
    }),
  ).rejects.toThrow("no binary")
  expect(calls).toBe(1)
  expect(fork).toBe(before)
})
