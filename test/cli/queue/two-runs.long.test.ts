import { afterAll, describe, expect, it, vi } from "vitest"
import type { SliceJob } from "../../../src/core/run/slice-queue.ts"
import { loadEngine } from "../../../src/queue/engine.ts"
import { parseQueueLocation } from "../../../src/queue/location.ts"
import { openSliceQueue } from "../../../src/queue/queue.ts"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { startCountServer } from "../../support/fleet/count-server.ts"
import { createFleet, queueOfFleet, writeFleetProject } from "../../support/fleet/fleet.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"
import { hasRedis, startRedis } from "../../support/servers/redis-server.ts"

const postgres = postgresBinaries === null ? null : await startPostgres()
const redis = hasRedis && postgres ? await startRedis() : null
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const samples = { short: 20, long: 200 }

/** How many slices of each run wait in a queue. */
async function waitingIn(url: string, name: string): Promise<ReadonlyMap<string, number>> {
  const { Queue, connection, backend } = await loadEngine(parseQueueLocation(url))
  const queue = new Queue(name, { connection } as never, backend as never)
  const waiting = new Map<string, number>()
  for (const { data } of await queue.getJobs(["wait", "delayed"])) {
    const { runId } = data as SliceJob
    waiting.set(runId, (waiting.get(runId) ?? 0) + 1)
  }
  await queue.close()
  return waiting
}

describe.skipIf(postgres === null)("two runs of one config at once", () => {
  const folder = scratchDirectory()
  writeFleetProject(folder, samples.long)
  // What a queue promises is tried over each kind in test/queue; here each kind has its part of what runs promise.
  const [overRedis, overPostgres] = [
    { backend: "Redis", url: redis?.url },
    { backend: "PostgreSQL", url: postgres?.url },
  ]

  it.each([overPostgres])(
    "leave each other's slices in the queue, whether one ends or the other's are lost (queue in $backend)",
    async ({ backend, url }) => {
      if (url === undefined) return
      const database = `two_${backend.toLowerCase()}`
      await postgres?.create(database)
      const store = postgres!.url.replace(/\/postgres$/, `/${database}`)
      const server = await startCountServer(50)
      const fleet = createFleet({ folder, queue: url, store, askUrl: server.url, concurrency: 4 })
      const name = queueOfFleet(store)
      const queue = await openSliceQueue(parseQueueLocation(url), name)
      try {
        const short = fleet.coordinator(["--limit", String(samples.short)])
        await vi.waitFor(async () => expect((await waitingIn(url, name)).size).toBe(1), {
          timeout: 30_000,
          interval: 100,
        })
        const [shortId] = [...(await waitingIn(url, name)).keys()]
        const long = fleet.coordinator()
        await vi.waitFor(async () => expect((await waitingIn(url, name)).size).toBe(2), {
          timeout: 30_000,
          interval: 100,
        })
        const atFirst = await waitingIn(url, name)
        const longId = [...atFirst.keys()].find((id) => id !== shortId)!
        expect(atFirst.get(longId)).toBeGreaterThan(10)

        await queue.clear(longId)
        expect([...(await waitingIn(url, name))]).toEqual([[shortId, atFirst.get(shortId!)]])
        await vi.waitFor(async () => expect(await waitingIn(url, name)).toEqual(atFirst), {
          timeout: 30_000,
          interval: 100,
        })

        const workers = [0, 1].map((i) => fleet.worker(`w${i}`, { stays: true }))
        expect(await short.ended, short.said()).toBe(0)
        expect([...(await waitingIn(url, name)).keys()]).toEqual([longId])
        expect((await waitingIn(url, name)).get(longId)).toBeGreaterThan(5)
        expect(await long.ended, long.said() + workers.map((member) => member.said()).join("")).toBe(0)
        expect(server.asked()).toBe(3 * (samples.short + samples.long))
        expect(await queue.holds(longId)).toBe(false)

        const opened = postgresStore(store).open({ readonly: true })
        for (const [id, most] of [
          [shortId!, samples.short],
          [longId, samples.long],
        ] as const)
          expect(opened.report(id)!.variants.map(({ finished }) => finished)).toEqual([most, most, most])
        opened.close()
        for (const { child } of workers) child.kill("SIGTERM")
        await Promise.all(workers.map(({ ended }) => ended))
      } finally {
        fleet.end()
        await queue.close()
        await server.close()
      }
    },
    180_000,
  )

  it.each([overRedis])(
    "of two stores keep to their own workers in one queue server (queue in $backend)",
    async ({ backend, url }) => {
      if (url === undefined) return
      const stores = await Promise.all(
        ["one", "other"].map(async (which) => {
          const database = `${which}_${backend.toLowerCase()}`
          await postgres?.create(database)
          return postgres!.url.replace(/\/postgres$/, `/${database}`)
        }),
      )
      const server = await startCountServer(5)
      const [first, second] = stores.map((store) =>
        createFleet({ folder, queue: url, store, askUrl: server.url, concurrency: 4 }),
      )
      try {
        const foreign = second!.worker("of the other store", { stays: true })
        await vi.waitFor(() => expect(foreign.said()).toContain("waits for slices"), { timeout: 30_000, interval: 100 })
        const left = first!.coordinator(["--limit", String(samples.short), "--detach"])
        expect(await left.ended, left.said()).toBe(0)
        const ran = second!.coordinator(["--limit", String(samples.short)])
        expect(await ran.ended, ran.said() + foreign.said()).toBe(0)
        expect(foreign.said()).not.toContain("cannot work on run")
        expect(server.asked()).toBe(3 * samples.short)

        const own = first!.worker("of this store", { stays: true })
        const resumed = first!.coordinator(["--resume", "--limit", String(samples.short)])
        expect(await resumed.ended, resumed.said() + own.said()).toBe(0)
        expect(server.asked()).toBe(2 * 3 * samples.short)
        for (const { child } of [foreign, own]) child.kill("SIGTERM")
        await Promise.all([foreign, own].map(({ ended }) => ended))
      } finally {
        first?.end()
        second?.end()
        await server.close()
      }
    },
    180_000,
  )
})
