import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { ownModule } from "../../../src/platform/own-module.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const { execArgv } = ownModule(import.meta.url, "./roomy-worker.test")
const source = fileURLToPath(new URL("../../../src/capture/threads/roomy-worker.ts", import.meta.url))

/** Starts threads with the room and without, and says how large the young space of each is, in megabytes. */
const script = `
import { getHeapSpaceStatistics } from "node:v8"
import { Worker } from "node:worker_threads"
import { startRoomyWorker } from ${JSON.stringify(source)}
const url = new URL("data:text/javascript," + encodeURIComponent(\`
import { getHeapSpaceStatistics } from "node:v8"
import { parentPort } from "node:worker_threads"
for (let i = 0, kept = []; i < 40; i++) kept = Array.from({ length: 10_000 }, (_, j) => ({ i, j }))
parentPort.postMessage(getHeapSpaceStatistics().find((one) => one.space_name === "new_space").space_size / 2 ** 20)
\`))
const sizeOf = (worker) => new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject))
const roomy = await Promise.all([1, 2].map(() => sizeOf(startRoomyWorker(url, { execArgv: [] }))))
const broken = startRoomyWorker(new URL("data:text/javascript,throw 1"), { execArgv: [] })
await new Promise((resolve) => broken.once("error", () => {}).once("exit", resolve))
const usual = await sizeOf(new Worker(url, { execArgv: [] }))
console.log(JSON.stringify({ roomy, usual }))
`

async function youngSpaces(...said: string[]): Promise<{ readonly roomy: readonly number[]; readonly usual: number }> {
  const file = join(scratchDirectory(), "threads.ts")
  writeFileSync(file, script)
  const { stdout } = await promisify(execFile)(process.execPath, [...said, ...execArgv, file], {
    timeout: 30_000,
    env: { ...process.env, NODE_OPTIONS: "" },
  })
  return JSON.parse(stdout)
}

it("gives its threads a larger young space, and no thread that is started after them", async () => {
  const { roomy, usual } = await youngSpaces()
  expect(Math.min(...roomy)).toBeGreaterThanOrEqual(16)
  expect(usual).toBeLessThan(16)
})

it("leaves what the user said about heaps as it is", async () => {
  const { roomy, usual } = await youngSpaces("--min-semi-space-size=2")
  expect(Math.max(...roomy)).toBeLessThan(16)
  expect(usual).toBeLessThan(16)
})
