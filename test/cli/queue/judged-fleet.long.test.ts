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
    delayMs: judgeMs,
  }))
let judgeMs = 60

/** Longer than a worker's lock and claims last, in milliseconds. */
const zombieMs = 8_000

/** What a judge was asked, each question as often as it came. */
const questions = ({ book }: ServiceServer) => book.map(({ text }) => text).sort()

/** A report and what its judge cost, apart from each other. */
function apartFromBill(report: string): { readonly rest: string; readonly usd: number } {
  let usd = 0
  const rest = JSON.stringify(JSON.parse(report), (_, value: { method?: string; value: number } | null) => {
    if (value?.method !== "sum of priced usage of the models that metrics called") return value
    usd += value.value
    return { ...value, value: 0 }
  })
  return { rest, usd }
}

const waited = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(postgres === null)("a judged run over several workers", () => {
  const folder = scratchDirectory()
  let judge: ServiceServer
  let single: { readonly report: string; readonly questions: readonly string[] }
  beforeAll(async () => {
    writeFleetProject(folder, samples, { isJudged: true })
    judge = await startJudge()
    const fleet = createFleet({ folder, queue: "", store: "", askUrl: null, concurrency, environment: environment() })
    const member = fleet.single()
    expect(await member.ended, member.said()).toBe(0)
    const report = comparableReport(openRunStore(join(folder, ".evalkit"), { readonly: true }))
    single = { report, questions: questions(judge) }
  }, 180_000)
  afterAll(() => judge?.close())
  const environment = () => ({ JUDGE_URL: judge.baseUrl })
  /** A fleet whose store is a database of its own: what another run asked answers nothing here. */
  const fleetWith = async (name: string, queue: string) => {
    await postgres?.create(name)
    const store = postgres!.url.replace(/\/postgres$/, `/${name}`)
    return { store, ...createFleet({ folder, queue, store, askUrl: null, concurrency, environment: environment() }) }
  }
  // What a queue promises is tried over each kind in test/queue, a worker that is killed in episode-fleet and in the simulated worlds.
  const overRedis = { name: "Redis", queue: redis?.url }

  it.each([overRedis])(
    "asks its judge each question once, on the workers, and has the report of one process (queue in $name)",
    async ({ name, queue }) => {
      if (queue === undefined) return
      expect(single.questions).toHaveLength(new Set(single.questions).size)
      const before = judge.book.length
      const fleet = await fleetWith(`calm_${name.toLowerCase()}`, queue)
      try {
        const coordinator = fleet.coordinator()
        const workers = [0, 1].map((i) => fleet.worker(`w${i}`))
        expect(await coordinator.ended, coordinator.said() + workers.map((member) => member.said()).join("")).toBe(0)
        expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
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

  it.each([overRedis])(
    "asks nothing a third time and counts nothing twice where a worker stood still while it judged (queue in $name)",
    async ({ name, queue }) => {
      if (queue === undefined) return
      const before = judge.book.length
      const fleet = await fleetWith(`stopped_${name.toLowerCase()}`, queue)
      // Slow enough that the run still goes on when the worker does.
      judgeMs = 1_500
      try {
        const coordinator = fleet.coordinator()
        const workers: FleetProcess[] = [0, 1].map((i) => fleet.worker(`z${name}${i}`))
        const asking = (worker: FleetProcess) =>
          judge.book.filter((request) => request.worker === worker.name && request.answeredMs === null)
        const isThere = () => judge.book.length - before >= single.questions.length / 6
        const victim = () => workers.find((member) => asking(member).length > 0)
        const untilMs = Date.now() + 60_000
        while (!(isThere() && victim()) && Date.now() < untilMs) await waited(5)
        const stopped = victim() as FleetProcess
        stopped.child.kill("SIGSTOP")
        await waited(zombieMs)
        expect(coordinator.child.exitCode).toBeNull()
        // Others take up what it had, and it does not know.
        const repeat = () => judge.book.length - before - new Set(judge.book.slice(before).map(({ text }) => text)).size
        const takenMs = Date.now() + 30_000
        while (repeat() === 0 && Date.now() < takenMs) await waited(20)
        expect(repeat()).toBeGreaterThan(0)
        stopped.child.kill("SIGCONT")
        expect(await coordinator.ended, coordinator.said() + workers.map((member) => member.said()).join("")).toBe(0)
        expect(await stopped.ended, stopped.said()).toBe(0)
        const asked = judge.book.slice(before).map(({ text }) => text)
        const times = new Map<string, number>()
        for (const text of asked) times.set(text, (times.get(text) ?? 0) + 1)
        expect([...times.keys()].sort()).toEqual(single.questions)
        expect(Math.max(...times.values())).toBe(2)
        expect(asked.length - single.questions.length).toBeLessThanOrEqual(concurrency)
        const report = comparableReport(postgresStore(fleet.store).open({ readonly: true }))
        expect(apartFromBill(report).rest).toBe(apartFromBill(single.report).rest)
        // What was asked twice was paid twice: the judge bills both.
        const billedUsd = judge.book.slice(before).reduce((sum, { usd }) => sum + usd, 0)
        expect(apartFromBill(report).usd).toBeCloseTo(billedUsd, 12)
      } finally {
        judgeMs = 60
        fleet.end()
      }
    },
    180_000,
  )
})
