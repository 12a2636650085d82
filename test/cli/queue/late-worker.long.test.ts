import { afterAll, describe, expect, it } from "vitest"
import { createFleet, type Fleet, waitsForSlices, writeFleetProject } from "../../support/fleet/fleet.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { hasRedis, type RedisServer, startRedis } from "../../support/servers/redis-server.ts"

describe.skipIf(!hasRedis)("a worker with --once", () => {
  let redis: RedisServer
  let fleet: Fleet | undefined
  afterAll(async () => {
    fleet?.end()
    await redis?.stop()
  })

  it("ends with a run of which nothing was left for it", async () => {
    const folder = scratchDirectory()
    // One slice: one of the workers gets nothing.
    writeFleetProject(folder, 2)
    redis = await startRedis()
    fleet = createFleet({ folder, queue: redis.url, store: null, askUrl: null, concurrency: 4 })
    const workers = [0, 1, 2].map((i) => fleet!.worker(`w${i}`))
    await Promise.all(workers.map(waitsForSlices))
    const coordinator = fleet.coordinator()
    expect(await coordinator.ended, coordinator.said()).toBe(0)
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0])
    const idle = workers.filter((worker) => !worker.said().includes("takes part in run"))
    expect(idle.length).toBeGreaterThan(0)
    for (const worker of idle) expect(worker.said()).toMatch(/run \w+ has ended, and nothing of it was left to do here/)
  }, 120_000)
})
