import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { startCountServer } from "../../support/fleet/count-server.ts"
import { runDisturbed } from "../../support/fleet/disturbed-run.ts"
import { comparableReport, createFleet, writeFleetProject } from "../../support/fleet/fleet.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"
import { hasRedis, startRedis } from "../../support/servers/redis-server.ts"

const postgres = postgresBinaries === null ? null : await startPostgres()
const redis = hasRedis && postgres ? await startRedis() : null
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const samples = 200
const concurrency = 4

describe.skipIf(postgres === null)("one run over several workers", () => {
  const folder = scratchDirectory()
  writeFleetProject(folder, samples)

  /** The report of one process: it is the same each time. */
  let ofOne: Promise<string> | undefined
  const single = () => {
    ofOne ??= madeByOne()
    return ofOne
  }
  const madeByOne = async () => {
    const fleet = createFleet({ folder, queue: "", store: "", askUrl: null, concurrency })
    const member = fleet.single()
    expect(await member.ended, member.said()).toBe(0)
    return comparableReport(openRunStore(join(folder, ".evalkit"), { readonly: true }))
  }

  it("has the report of a run that one process made, on recorded timings", async () => {
    const server = await startCountServer(5)
    const fleet = createFleet({
      folder,
      queue: (redis ?? postgres)!.url,
      store: postgres!.url,
      askUrl: server.url,
      concurrency,
    })
    try {
      const coordinator = fleet.coordinator()
      const workers = [0, 1].map((i) => fleet.worker(`w${i}`))
      expect(await coordinator.ended, coordinator.said() + workers.map((member) => member.said()).join("")).toBe(0)
      expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
      // A worker that the machine held up for longer than its claims last loses what it had in flight to another, and says so.
      const heldUp = workers.filter((member) => /could not renew lock|[1-9]\d* refused as second/.test(member.said()))
      expect(server.asked() - server.askedAgain()).toBe(3 * samples)
      expect(server.askedAgain()).toBeLessThanOrEqual(concurrency * heldUp.length)
      const there = comparableReport(postgresStore(postgres!.url).open({ readonly: true }))
      expect(there).toBe(await single())
    } finally {
      fleet.end()
      await server.close()
    }
  }, 180_000)

  it.runIf(isNightly).each([
    { name: "Redis", queue: redis },
    { name: "PostgreSQL", queue: postgres && { url: postgres.url } },
  ])(
    "loses and doubles nothing over $name, whoever is killed, stopped, wiped or restarted",
    async ({ queue }) => {
      if (!queue || !postgres) return
      const run = await runDisturbed({
        folder,
        postgres,
        queue,
        samples,
        workers: 3,
        kills: 2,
        zombies: 1,
        concurrency,
        answerMs: 250,
        seed: 3,
      })
      expect(run.exitCode, `${run.done.join("; ")}\n${run.output}`).toBe(0)
      expect(run.asked - run.askedAgain).toBe(3 * samples)
      expect(run.askedAgain, run.done.join("; ")).toBeLessThanOrEqual(run.inFlight)
      expect(comparableReport(postgresStore(postgres.url).open({ readonly: true }))).toBe(await single())
    },
    400_000,
  )
})
