import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { type Binding, loadBinding, needBinding } from "../../../src/local-model/serve/load-binding.ts"
import { tinyModel } from "./shared-server.ts"

const index = createRequire(import.meta.url).resolve("node-llama-cpp")
const { version } = createRequire(import.meta.url)(join(dirname(index), "..", "package.json")) as { version: string }
const bundle = fileURLToPath(
  new URL(`../../../dist/src/local-model/serve/node-llama-cpp-${version}.js`, import.meta.url),
)

it("is asked for by the line that installs it where it is not there, before anything is loaded or started", () => {
  expect(() => needBinding()).not.toThrow()
  expect(() => needBinding(join(tmpdir(), "elsewhere.js"))).toThrow(
    /^serving a local model needs the package node-llama-cpp, which cannot be loaded; install it with: npm i node-llama-cpp@[\d.]+ \(or: npx evalkit add local\)$/,
  )
})

it("is the package itself where the build made no bundle of it, and where a process does more than serve", async () => {
  const { getLlama } = await import("node-llama-cpp")
  expect((await loadBinding(true)).getLlama).toBe(getLlama)
  expect((await loadBinding(false)).getLlama).toBe(getLlama)
})

it("is bundled by the build for the version that is installed, and loads its binary without a process that tries it", async () => {
  expect(existsSync(bundle), "run `npm run build` first").toBe(true)
  const bundled = (await import(pathToFileURL(bundle).href)) as Binding
  const own = (await import("node-llama-cpp")) as unknown as Record<string, unknown>
  for (const name of Object.keys(bundled)) expect(typeof own[name], name).not.toBe("undefined")
  const options = { gpu: false, build: "never", skipDownload: true, maxThreads: 1 } as const
  const started: { dispose(): Promise<void> }[] = []
  const of = (binding: Pick<Binding, "getLlama">) => async () => {
    started.push(await binding.getLlama({ ...options, logLevel: bundled.LlamaLogLevel.error }))
  }
  try {
    expect(await processesDuring(of(await import("node-llama-cpp")))).toBeGreaterThan(0)
    expect(await processesDuring(of(bundled))).toBe(0)
    const llama = started[1] as Awaited<ReturnType<Binding["getLlama"]>>
    const model = await llama.loadModel({ modelPath: tinyModel, gpuLayers: 0 })
    expect(model.tokenize("Hello").length).toBeGreaterThan(0)
  } finally {
    for (const entry of started) await entry.dispose()
  }
}, 30_000)

/** Counts the processes that begin while `work` runs, of whatever file. */
async function processesDuring(work: () => Promise<unknown>): Promise<number> {
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
