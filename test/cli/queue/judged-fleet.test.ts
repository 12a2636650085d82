import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { comparableReport, createFleet, type FleetProcess, writeFleetProject } from "../../support/fleet/fleet.ts"
import { type ServiceServer, startService } from "../../support/fleet/service-server.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"
import { hasRedis, startRedis } from "../../support/servers/redis-server.ts"

const postgres = postgresBinaries === null ? null : await startPostgres()
const redis = hasRedis && postgres ? await startRedis() : null
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const samples = 60
const concurrency = 4

/** Judges after a while; what it says depends on what it is asked alone. */
const startJudge = () =>
  startService(({ text }) => ({
    text: `{"reason":"so it is","verdict":"${text.length % 3 === 0 ? "no" : "yes"}"}`,
    delayMs: 60,
  }))

/** What a judge was asked, each question as often as it came. */
const questions = ({ book }: ServiceServer) => book.map(({ text }) => text).sort()

const waited = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(postgres === null)("a judged run over several workers", () => {
  const folder = scratchDirectory()
  let judge: ServiceServer
  let single: { readonly report: string; readonly questions: readonly string[] }
  beforeAll(async () => {
    writeFleetProject(folder, samples, { isJudged: true })
    judge = await startJudge()
    const fleet = createFleet({ folder, queue: "", store: "", askUrl: null, concurrency, environment: environment() })
    const one = fleet.single()
    expect(await one.ended, one.said()).toBe(0)
    const report = comparableReport(openRunStore(join(folder, ".evalkit"), { readonly: true }))
    single = { report, questions: questions(judge) }
  }, 180_000)
  afterAll(() => judge?.close())
  const environment = () => ({ JUDGE_URL: judge.baseUrl })
  /** A fleet whose store is a database of its own: what another run asked answers nothing here. */
  const fleetWith = async (name: string, queue: string) => {
    await postgres?.run(`CREATE DATABASE ${name}`)
    const store = postgres!.url.replace(/\/postgres$/, `/${name}`)
    return { store, ...createFleet({ folder, queue, store, askUrl: null, concurrency, environment: environment() }) }
  }
  const backends = [
    { name: "Redis", queue: redis?.url },
    { name: "PostgreSQL", queue: postgres?.url },
  ]

  it.each(backends)(
    "asks its judge each question once, on the workers, and has the report of one process (queue in $name)",
    async ({ name, queue }) => {
      if (queue === undefined) return
      expect(single.questions).toHaveLength(new Set(single.questions).size)
      const before = judge.book.length
      const fleet = await fleetWith(`calm_${name.toLowerCase()}`, queue)
      try {
        const coordinator = fleet.coordinator()
        const workers = [0, 1, 2].map((i) => fleet.worker(`w${i}`))
        expect(await coordinator.ended, coordinator.said() + workers.map((one) => one.said()).join("")).toBe(0)
        expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0])
        const asked = judge.book.slice(before)
        expect(asked.map(({ text }) => text).sort()).toEqual(single.questions)
        expect(asked.filter(({ worker }) => worker === "coordinator")).toEqual([])
        expect(comparableReport(postgresStore(fleet.store).open({ readonly: true }))).toBe(single.report)
      } finally {
        fleet.end()
      }
    },
    180_000,
  )

  it.each(backends)(
    "repeats what a killed worker had asked its judge at that moment, and nothing else (queue in $name)",
    async ({ name, queue }) => {
      if (queue === undefined) return
      const before = judge.book.length
      const fleet = await fleetWith(`killed_${name.toLowerCase()}`, queue)
      try {
        const coordinator = fleet.coordinator()
        const workers: FleetProcess[] = [0, 1, 2].map((i) => fleet.worker(`k${name}${i}`))
        let inFlight = 0
        for (const share of [0.25, 0.5]) {
          const untilMs = Date.now() + 60_000
          const isThere = () => judge.book.length - before >= share * single.questions.length
          const victim = () => workers.find((one) => judge.inFlight(one.name) > 0)
          while (!(isThere() && victim()) && Date.now() < untilMs) await waited(5)
          const killed = victim() as FleetProcess
          inFlight += Math.min(concurrency, judge.inFlight(killed.name))
          killed.child.kill("SIGKILL")
          workers.splice(workers.indexOf(killed), 1)
        }
        expect(await coordinator.ended, coordinator.said() + workers.map((one) => one.said()).join("")).toBe(0)
        const asked = judge.book.slice(before).map(({ text }) => text)
        expect([...new Set(asked)].sort()).toEqual(single.questions)
        expect(inFlight).toBeGreaterThan(0)
        expect(asked.length - single.questions.length).toBeLessThanOrEqual(inFlight)
        expect(comparableReport(postgresStore(fleet.store).open({ readonly: true }))).toBe(single.report)
      } finally {
        fleet.end()
      }
    },
    180_000,
  )
})
