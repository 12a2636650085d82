import type { Worker } from "node:worker_threads"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { ProviderSession } from "../../../src/core/provider.ts"
import { ask, testContext } from "../../support/ask.ts"
import { type FaultServer, startFaultServer } from "../../support/fault-server.ts"

let servers: FaultServer[]
const started: Worker[] = []
const count = (worker: Worker) => void started.push(worker)
let openai: typeof import("../../../src/providers/openai.ts").openai
beforeAll(async () => {
  // Other test files in this process may have left threads that wait for the next session.
  vi.resetModules()
  openai = (await import("../../../src/providers/openai.ts")).openai
  servers = [await startFaultServer(), await startFaultServer()]
  process.on("worker", count)
})
afterAll(async () => {
  process.off("worker", count)
  await Promise.all(servers.map((server) => server.close()))
})

const open = (server: number, fault: Parameters<FaultServer["url"]>[0] = "none"): Promise<ProviderSession> =>
  openai({
    model: "m",
    baseUrl: (servers[server] as FaultServer).url(fault),
    apiKeyVariable: null,
    transport: "undici",
  }).open(testContext())

it("serve the sessions of all endpoints, side by side and one after the other", async () => {
  const sessions = [await open(0), await open(1), await open(0)]
  const answers = await Promise.all(sessions.map((session) => ask(session)))
  expect(answers.map(({ text }) => text)).toEqual(["Hello", "Hello", "Hello"])
  await Promise.all(sessions.map((session) => session.close()))
  const later = await open(1)
  expect((await ask(later)).outcome).toBe("ok")
  await later.close()
  expect(started).toHaveLength(1)
})

it("end what a closed session had in flight, refuse what it asks after that, and leave the other sessions alone", async () => {
  const [closed, other] = [await open(0, "hangBeforeFirstToken"), await open(1, "slowDrip")]
  const hanging = ask(closed)
  const dripping = ask(other)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await closed.close()
  await closed.close()
  expect((await hanging).outcome).toBe("connection")
  expect((await ask(closed)).outcome).toBe("client_fault")
  expect((await dripping).outcome).toBe("ok")
  await other.close()
})

it("are started anew for the next session where one of them has failed", async () => {
  const first = await open(0)
  expect((await ask(first)).outcome).toBe("ok")
  await started[0]?.terminate()
  expect((await ask(first)).outcome).toBe("client_fault")
  const next = await open(0)
  expect((await ask(next)).outcome).toBe("ok")
  await Promise.all([first.close(), next.close()])
  expect(started).toHaveLength(2)
})

it("end at once where nobody asks any more, and not while a session is open", async () => {
  const { endUnusedThreads } = await import("../../../src/capture/threads/used-pool.ts")
  const ended: number[] = []
  for (const [i, worker] of started.entries()) worker.once("exit", () => ended.push(i))
  const session = await open(0)
  await endUnusedThreads()
  expect((await ask(session)).outcome).toBe("ok")
  expect(ended).toEqual([])
  await session.close()
  await endUnusedThreads()
  await endUnusedThreads()
  expect(ended).toEqual([started.length - 1])
  const next = await open(0)
  expect((await ask(next)).outcome).toBe("ok")
  await next.close()
})
