import { join } from "node:path"
import { afterAll, describe, expect, it, vi } from "vitest"
import { openRunStore } from "../../../src/store/run-store.ts"
import { startCountServer } from "../../support/fleet/count-server.ts"
import { comparableReport, createFleet, writeFleetProject } from "../../support/fleet/fleet.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { hasRedis, startRedis } from "../../support/servers/redis-server.ts"

const redis = hasRedis ? await startRedis() : null
afterAll(() => redis?.stop())

const samples = 150
const concurrency = 4

describe.skipIf(redis === null)("a run over several processes of one machine whose store is a file", () => {
  it("has each answer once, whoever is killed, and the report of one process", async () => {
    const folder = scratchDirectory()
    writeFleetProject(folder, samples)
    const alone = scratchDirectory()
    writeFleetProject(alone, samples)
    const server = await startCountServer(30)
    const options = { queue: redis!.url, store: null, askUrl: server.url, concurrency }
    const fleet = createFleet({ folder, ...options })
    try {
      // All of them make the store that is not there yet.
      const workers = ["w1", "w2", "w3"].map((name) => fleet.worker(name, { stays: true }))
      const first = fleet.coordinator()
      await vi.waitFor(() => expect(server.asked()).toBeGreaterThan(60), { timeout: 60_000, interval: 20 })
      workers[1]!.child.kill("SIGKILL")
      first.child.kill("SIGKILL")
      const inFlight = server.inFlight("w2")
      await first.ended
      const second = fleet.coordinator(["--resume"])
      expect(await second.ended, second.said()).toBe(0)
      expect(server.asked()).toBeLessThanOrEqual(3 * samples + inFlight)
      expect(workers[0]!.said()).toContain(`its store is ${join(folder, ".evalkit")}`)
      const askedAlone = server.asked()
      const single = createFleet({ folder: alone, ...options, askUrl: null }).single()
      expect(await single.ended, single.said()).toBe(0)
      expect(server.asked()).toBe(askedAlone)
      const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
      const { id } = store.runs()[0]!
      expect([...store.countFinished(id).values()]).toEqual([samples, samples, samples])
      const [many, entry] = [store, openRunStore(join(alone, ".evalkit"), { readonly: true })].map(comparableReport)
      expect(many).toBe(entry)
    } finally {
      fleet.end()
      await server.close()
    }
  }, 120_000)

  it("is gone on with by the worker that has left it, once its coordinator was interrupted and comes back", async () => {
    const folder = scratchDirectory()
    writeFleetProject(folder, samples)
    const server = await startCountServer(30)
    const fleet = createFleet({ folder, queue: redis!.url, store: null, askUrl: server.url, concurrency })
    try {
      const worker = fleet.worker("w", { stays: true })
      const first = fleet.coordinator()
      await vi.waitFor(() => expect(server.asked()).toBeGreaterThan(60), { timeout: 60_000, interval: 20 })
      first.child.kill("SIGINT")
      expect(await first.ended, first.said()).toBe(130)
      await vi.waitFor(() => expect(worker.said()).toContain("left"), { timeout: 30_000, interval: 50 })
      const second = fleet.coordinator(["--resume"])
      expect(await second.ended, second.said() + worker.said()).toBe(0)
      expect(server.asked()).toBe(3 * samples)
    } finally {
      fleet.end()
      await server.close()
    }
  }, 90_000)

  it("lets no second run write beside it", async () => {
    const folder = scratchDirectory()
    writeFleetProject(folder, samples)
    const server = await startCountServer(30)
    const fleet = createFleet({ folder, queue: redis!.url, store: null, askUrl: server.url, concurrency })
    try {
      fleet.worker("w", { stays: true })
      fleet.coordinator()
      await vi.waitFor(() => expect(server.asked()).toBeGreaterThan(5), { timeout: 60_000, interval: 20 })
      const other = fleet.coordinator()
      expect(await other.ended).toBe(2)
      expect(other.said()).toContain("the store is being written by another process")
    } finally {
      fleet.end()
      await server.close()
    }
  }, 90_000)

  it("answers a detached run while others write to the file", async () => {
    const folder = scratchDirectory()
    writeFleetProject(folder, samples)
    const server = await startCountServer(30)
    const fleet = createFleet({ folder, queue: redis!.url, store: null, askUrl: server.url, concurrency })
    try {
      const detached = fleet.coordinator(["--detach"])
      expect(await detached.ended, detached.said()).toBe(0)
      const workers = ["w1", "w2"].map((name) => fleet.worker(name))
      await vi.waitFor(() => expect(server.asked()).toBeGreaterThan(30), { timeout: 60_000, interval: 20 })
      // As `evalkit tag` does: it has the writer's lock, which nobody has while no coordinator lives.
      openRunStore(join(folder, ".evalkit")).close()
      await vi.waitFor(() => expect(server.asked()).toBe(3 * samples), { timeout: 60_000, interval: 20 })
      const last = fleet.coordinator(["--resume"])
      expect(await last.ended, last.said()).toBe(0)
      for (const worker of workers) expect(await worker.ended, worker.said()).toBe(0)
      expect(server.asked()).toBe(3 * samples)
    } finally {
      fleet.end()
      await server.close()
    }
  }, 90_000)
})
