import { afterAll, describe, expect, it, vi } from "vitest"
import type { SliceJob } from "../../src/core/run/slice-queue.ts"
import { consumeSlices } from "../../src/queue/consume.ts"
import { parseQueueLocation } from "../../src/queue/location.ts"
import { openSliceQueue } from "../../src/queue/queue.ts"
import { postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"
import { hasRedis, startRedis } from "../support/servers/redis-server.ts"

const redis = hasRedis ? await startRedis() : null
const postgres = postgresBinaries === null ? null : await startPostgres()
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const jobs = (count: number): readonly SliceJob[] =>
  Array.from({ length: count }, (_, slice) => ({ runId: "r", slice, samples: 2, fingerprint: "f", version: "1" }))

describe.each([
  { engine: "Redis", server: redis },
  { engine: "PostgreSQL", server: postgres },
])("a queue in $engine", ({ engine, server }) => {
  const location = server ? parseQueueLocation(server.url) : null
  const consume = (name: string, work: (job: SliceJob) => Promise<void>, slices = 4) =>
    consumeSlices(location!, name, { slices, work, onFault: () => {} })

  it.skipIf(server === null)(
    "gives every slice to a worker, and a slice that is there is not added again",
    async () => {
      const queue = await openSliceQueue(location!, `once-${engine}`)
      await queue.add(jobs(50))
      await queue.add(jobs(50))
      expect(await queue.open()).toBe(50)
      const seen: number[] = []
      const consumers = await Promise.all(
        [1, 2].map(() => consume(`once-${engine}`, async ({ slice }) => void seen.push(slice))),
      )
      await vi.waitFor(async () => expect(await queue.open()).toBe(0), { timeout: 20_000, interval: 50 })
      expect(seen.sort((a, b) => a - b)).toEqual(jobs(50).map(({ slice }) => slice))
      await queue.add(jobs(1))
      await vi.waitFor(() => expect(seen).toHaveLength(51), { timeout: 20_000 })
      await Promise.all(consumers.map((consumer) => consumer.close()))
      await queue.close()
    },
    60_000,
  )

  it.skipIf(server === null)(
    "brings a slice again whose work was rejected",
    async () => {
      const queue = await openSliceQueue(location!, `again-${engine}`)
      await queue.add(jobs(1))
      let tries = 0
      const consumer = await consume(`again-${engine}`, async () => {
        if (++tries < 3) throw new Error("not now")
      })
      await vi.waitFor(() => expect(tries).toBe(3), { timeout: 20_000 })
      await vi.waitFor(async () => expect(await queue.open()).toBe(0), { timeout: 20_000 })
      await consumer.close()
      await queue.close()
    },
    60_000,
  )

  it.skipIf(server === null)(
    "keeps the lock of a slice while the main thread computes for longer than it lasts",
    async () => {
      const queue = await openSliceQueue(location!, `lock-${engine}`)
      await queue.add(jobs(1))
      const seen: string[] = []
      const consumers = await Promise.all(
        ["first", "second"].map((name) =>
          consume(`lock-${engine}`, async () => {
            seen.push(name)
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000)
          }),
        ),
      )
      await vi.waitFor(async () => expect(await queue.open()).toBe(0), { timeout: 30_000, interval: 50 })
      expect(seen).toHaveLength(1)
      await Promise.all(consumers.map((consumer) => consumer.close()))
      await queue.close()
    },
    60_000,
  )
})

describe("the address of a queue", () => {
  it("is shown without its password", () => {
    expect(parseQueueLocation("rediss://ann:secret@host:6380/2")).toMatchObject({
      engine: "redis",
      shown: "rediss://ann@host:6380/2",
    })
  })

  it("is refused without being repeated when it is none", () => {
    for (const url of ["http://ann:secret@host", "secret", "", undefined])
      expect(() => parseQueueLocation(url)).toThrow(
        /^a queue is named by a URL of Redis or PostgreSQL: --queue; for example/,
      )
  })

  it.each(["redis://ann:secret@127.0.0.1:1", "postgres://ann:secret@127.0.0.1:1/db"])(
    "that nobody answers at ends in one sentence: %s",
    async (url) => {
      const fault = await openSliceQueue(parseQueueLocation(url), "none").catch((error: unknown) => error)
      expect(fault).toMatchObject({ code: "queue_lost", exitCode: 2 })
      expect(String(fault)).toContain("127.0.0.1:1")
      expect(String(fault)).not.toContain("secret")
    },
    30_000,
  )
})
