import { Redis } from "ioredis"
import pg from "pg"
import { afterAll, describe, expect, it, vi } from "vitest"
import type { SliceJob } from "../../src/core/run/slice-queue.ts"
import { queueName } from "../../src/pipeline/distribute/task.ts"
import { consumeSlices } from "../../src/queue/consume.ts"
import { parseQueueLocation } from "../../src/queue/location.ts"
import { openSliceQueue } from "../../src/queue/queue.ts"
import { kubernetesManifests } from "../deploy/manifests.ts"
import { postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"
import { hasRedis, startRedis } from "../support/servers/redis-server.ts"

const redis = hasRedis ? await startRedis() : null
const postgres = postgresBinaries === null ? null : await startPostgres()
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const jobs = (count: number, runId = "r"): readonly SliceJob[] =>
  Array.from({ length: count }, (_, slice) => ({ runId, slice, samples: 2, fingerprint: "f", version: "1" }))

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
      const seen: number[] = []
      const consumers = await Promise.all(
        [1, 2].map(() => consume(`once-${engine}`, async ({ slice }) => void seen.push(slice))),
      )
      await vi.waitFor(async () => expect(await queue.holds("r")).toBe(false), { timeout: 20_000, interval: 50 })
      expect(seen.sort((a, b) => a - b)).toEqual(jobs(50).map(({ slice }) => slice))
      await queue.add(jobs(1))
      await vi.waitFor(() => expect(seen).toHaveLength(51), { timeout: 20_000 })
      await Promise.all(consumers.map((consumer) => consumer.close()))
      await queue.close()
    },
    60_000,
  )

  it.skipIf(server === null)("is as long as the autoscaling of deploy/kubernetes sees it", async () => {
    const name = queueName({ name: `scaled-${engine}` }, { identity: () => "a store" })
    const queue = await openSliceQueue(location!, name)
    await queue.add(jobs(50))
    const [trigger] = kubernetesManifests().flatMap(({ file, manifest }) =>
      file === `autoscaling-${location!.engine}.yaml` && manifest.kind === "ScaledObject"
        ? (manifest.spec as { triggers: { metadata: Record<string, string> }[] }).triggers
        : [],
    )
    const { listName = "", query = "" } = trigger!.metadata
    if (location!.engine === "redis") {
      const client = new Redis(server!.url)
      expect(await client.llen(listName.replace("QUEUENAME", name))).toBe(50)
      client.disconnect()
    } else {
      const client = new pg.Client({ connectionString: server!.url })
      await client.connect()
      expect((await client.query(query.replace("QUEUENAME", name))).rows).toEqual([{ count: "50" }])
      await client.end()
    }
    await queue.clear("r")
    await queue.close()
  })

  it.skipIf(server === null)(
    "holds the slices of several runs, of which each takes out its own",
    async () => {
      const queue = await openSliceQueue(location!, `runs-${engine}`)
      const both = () => Promise.all(["r", "r_2"].map((runId) => queue.holds(runId)))
      expect(await both()).toEqual([false, false])
      // A name that begins as another does; more than what is taken out at once.
      await queue.add(jobs(150))
      await queue.add(jobs(150, "r_2"))
      expect(await both()).toEqual([true, true])
      await queue.clear("r")
      expect(await both()).toEqual([false, true])
      const seen: SliceJob[] = []
      let isBusy = false
      let goOn = () => {}
      const looked = new Promise<void>((resolve) => (goOn = resolve))
      const consumer = await consume(
        `runs-${engine}`,
        async (job) => {
          // What is given back waits for a while, and is still the run's.
          if (job.slice === 0 && !isBusy) {
            isBusy = true
            throw new Error("not now")
          }
          if (job.slice === 0) await looked
          seen.push(job)
        },
        2,
      )
      await vi.waitFor(async () => expect(seen).toHaveLength(149), { timeout: 20_000, interval: 5 })
      expect(await both()).toEqual([false, true])
      goOn()
      await vi.waitFor(async () => expect(await both()).toEqual([false, false]), { timeout: 20_000, interval: 50 })
      expect(seen.map(({ runId, slice }) => `${runId} ${slice}`).sort()).toEqual(
        jobs(150, "r_2")
          .map(({ slice }) => `r_2 ${slice}`)
          .sort(),
      )
      await consumer.close()
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
      await vi.waitFor(async () => expect(await queue.holds("r")).toBe(false), { timeout: 20_000 })
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
      await vi.waitFor(async () => expect(await queue.holds("r")).toBe(false), { timeout: 30_000, interval: 50 })
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

  it("takes a password that it does not have from the environment, in whatever signs", () => {
    const environment = { EVALKIT_QUEUE_PASSWORD: "of @ur/team" }
    const located = (url: string) => parseQueueLocation(url, "--queue", environment)
    expect(located("redis://host:6379").url).toBe("redis://:of%20%40ur%2Fteam@host:6379")
    expect(located("postgres://ann@host/db")).toMatchObject({
      url: "postgres://ann:of%20%40ur%2Fteam@host/db",
      shown: "postgres://ann@host/db",
    })
    expect(located("redis://ann:own@host").url).toBe("redis://ann:own@host")
    expect(parseQueueLocation("redis://host", "--queue", {}).url).toBe("redis://host")
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
