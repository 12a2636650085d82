import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { createWorkerClient } from "../../../src/encoders/worker/worker-client.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A thread that answers each job with its own number, and says so beforehand; or that has no model. */
const source = `
import { parentPort, threadId, workerData } from "node:worker_threads"
parentPort.on("message", ({ type, id }) => {
  if (type === "close") return parentPort.close()
  if (workerData.model === "none")
    return parentPort.postMessage({ type: "failed", id, failure: { what: "no model in thread " + threadId, code: "model_unavailable" } })
  parentPort.postMessage({ type: "progress", message: "thread " + threadId })
  parentPort.postMessage({ type: "done", id, results: threadId })
})
`
const path = join(scratchDirectory(), "worker.mjs")
writeFileSync(path, source)
const module = { url: pathToFileURL(path), path, execArgv: [] }
const { signal } = new AbortController()

it("shares a thread among clients with the same settings, until the last of them is closed", async () => {
  const events: string[] = []
  const client = (model: string, name = "") =>
    createWorkerClient({ module, settings: { model }, feature: "a test", progress: (line) => events.push(name + line) })
  const [left, same, second] = [client("a", "one: "), client("a", "same: "), client("b")]
  const first = await left.ask<number>({}, signal)
  expect(await same.ask({}, signal)).toBe(first)
  expect(await second.ask({}, signal)).not.toBe(first)
  expect(events).toContain(`one: thread ${first}`)
  expect(events).toContain(`same: thread ${first}`)

  await left.close()
  // Closed once more, or never used: no concern of the others.
  await left.close()
  await client("a").close()
  expect(await same.ask({}, signal)).toBe(first)
  expect(events.filter((line) => line.startsWith("one: "))).toHaveLength(2)

  await same.close()
  const repeats = await left.ask<number>({}, signal)
  expect(repeats).not.toBe(first)
  await Promise.all([left.close(), second.close()])
})

it("shares no thread whose model could not be loaded: it may be there now", async () => {
  const client = () => createWorkerClient({ module, settings: { model: "none" }, feature: "a test" })
  const [left, second] = [client(), client()]
  const said = (who: typeof left) => who.ask({}, signal).catch((error: Error) => error.message)
  const first = await said(left)
  expect(first).toMatch(/^no model in thread \d+/i)
  expect(await said(left)).toBe(first)
  expect(await said(second)).not.toBe(first)
  await Promise.all([left.close(), second.close()])
})
