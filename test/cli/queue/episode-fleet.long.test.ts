import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { callsOfSample, chargedIn, serveEpisode, writeEpisodeProject } from "../../support/fleet/episode-project.ts"
import { createFleet, type FleetProcess } from "../../support/fleet/fleet.ts"
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

const samples = 48
const concurrency = 4
/** Longer than a worker's lock and claims last, in milliseconds. */
const zombieMs = 8_000

const waited = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Every episode of the newest run, step by step, and what is made of them; times and who made what are left out. */
function episodesOf(store: RunStore) {
  const [record] = store.runs()
  const { variants, comparisons } = store.report(record!.id)!
  const episodes = variants
    .flatMap(({ name }) => [...store.generations(record!.id, name)])
    .map(({ variant, sampleId, outcome, text, cost, usage, episode }) => ({
      call: `${variant} ${sampleId}`,
      outcome,
      text,
      cost,
      usage,
      steps: episode?.steps.map((step) => [
        step.kind,
        "text" in step ? step.text : "",
        "name" in step ? step.name : "",
      ]),
    }))
    .sort((a, b) => (a.call < b.call ? -1 : 1))
  const open = [...store.steps(record!.id)].length
  store.close()
  const quality = variants.map(({ name, finished, quality, cost }) => ({ name, finished, quality, usd: cost.totalUsd }))
  return { episodes, quality, open, metrics: comparisons.map(({ metrics }) => metrics) }
}

describe.skipIf(postgres === null)("a run of episodes over several workers", () => {
  const folder = scratchDirectory()
  let service: ServiceServer
  let delayMs = 10
  let single: ReturnType<typeof episodesOf> & { readonly questions: readonly string[] }
  const environment = () => ({ SERVICE_URL: service.baseUrl })
  const questions = (since: number) =>
    service.book
      .slice(since)
      .map(({ model, text }) => `${model}: ${text}`)
      .sort()
  beforeAll(async () => {
    writeEpisodeProject(folder, samples)
    service = await startService((asked) => ({ ...serveEpisode(asked), delayMs }))
    const fleet = createFleet({ folder, queue: "", store: "", askUrl: null, concurrency, environment: environment() })
    const member = fleet.single()
    expect(await member.ended, member.said()).toBe(0)
    const result = episodesOf(openRunStore(join(folder, ".evalkit"), { readonly: true }))
    single = { ...result, questions: questions(0) }
    expect(single.questions).toHaveLength(samples * callsOfSample)
    expect(chargedIn(folder)).toHaveLength(samples)
  }, 180_000)
  afterAll(() => service?.close())
  /** A fleet whose store is a database of its own, and nothing is charged for. */
  const fleetWith = async (name: string, queue: string) => {
    await postgres?.create(name)
    rmSync(join(folder, "charged.txt"), { force: true })
    const store = postgres!.url.replace(/\/postgres$/, `/${name}`)
    return { store, ...createFleet({ folder, queue, store, askUrl: null, concurrency, environment: environment() }) }
  }
  // What a queue promises is tried over each kind in test/queue; here each kind has its part of what a run promises.
  const [overRedis, overPostgres] = [
    { name: "Redis", queue: redis?.url },
    { name: "PostgreSQL", queue: postgres?.url },
  ]

  it.each([overPostgres])(
    "has the episodes, the figures and the questions of one process (queue in $name)",
    async ({ name, queue }) => {
      if (queue === undefined) return
      const before = service.book.length
      const fleet = await fleetWith(`calm_${name.toLowerCase()}`, queue)
      try {
        const coordinator = fleet.coordinator()
        const workers = [0, 1, 2].map((i) => fleet.worker(`w${i}`))
        const said = () => coordinator.said() + workers.map((member) => member.said()).join("")
        expect(await coordinator.ended, said()).toBe(0)
        expect(questions(before)).toEqual(single.questions)
        const askers = new Set(service.book.slice(before).map(({ worker }) => worker))
        expect([...askers].filter((asker) => asker === "coordinator" || asker === "single")).toEqual([])
        expect(askers.size).toBeGreaterThan(1)
        const { questions: _questions, ...rest } = single
        expect(episodesOf(postgresStore(fleet.store).open({ readonly: true }))).toEqual(rest)
        expect(chargedIn(folder)).toHaveLength(samples)
      } finally {
        fleet.end()
      }
    },
    180_000,
  )

  it.each([overRedis])(
    "goes on with an episode where a worker that was killed or stood still left it, and calls no tool with effects twice (queue in $name)",
    async ({ name, queue }) => {
      if (queue === undefined) return
      const before = service.book.length
      const fleet = await fleetWith(`disturbed_${name.toLowerCase()}`, queue)
      delayMs = 300
      try {
        const coordinator = fleet.coordinator()
        const workers: FleetProcess[] = [0, 1, 2].map((i) => fleet.worker(`d${name}${i}`))
        const asking = ({ name: worker }: FleetProcess) =>
          service.book.filter((request) => request.worker === worker && request.answeredMs === null)
        const untilMs = Date.now() + 60_000
        const victim = async (share: number): Promise<FleetProcess> => {
          const isThere = () => service.book.length - before >= share * single.questions.length
          const busy = () => workers.find((member) => asking(member).length > 0)
          while (!(isThere() && busy()) && Date.now() < untilMs) await waited(5)
          const process = busy()!
          workers.splice(workers.indexOf(process), 1)
          return process
        }
        const killed = await victim(0.15)
        killed.child.kill("SIGKILL")
        workers.push(fleet.worker(`d${name}3`))
        const stopped = await victim(0.3)
        stopped.child.kill("SIGSTOP")
        await waited(zombieMs)
        expect(coordinator.child.exitCode, coordinator.said()).toBeNull()
        stopped.child.kill("SIGCONT")
        expect(await coordinator.ended, coordinator.said() + workers.map((member) => member.said()).join("")).toBe(0)
        const asked = questions(before)
        expect([...new Set(asked)]).toEqual([...new Set(single.questions)])
        // Of the one that was killed, and of the one that stood still.
        expect(asked.length - single.questions.length).toBeLessThanOrEqual(2 * concurrency)
        expect(new Set(chargedIn(folder)).size).toBe(chargedIn(folder).length)
        const { episodes, open } = episodesOf(postgresStore(fleet.store).open({ readonly: true }))
        const summaryOf = (of: typeof episodes) =>
          of.map(({ call, outcome, text, steps }) => ({ call, outcome, text, steps }))
        expect(summaryOf(episodes)).toEqual(summaryOf(single.episodes))
        expect(open).toBe(0)
      } finally {
        delayMs = 10
        fleet.end()
      }
    },
    180_000,
  )

  it("costs no more than the budget, of which each call of an episode leases its part when it comes", async () => {
    const before = service.book.length
    const fleet = await fleetWith("capped", postgres!.url)
    const whole = service.book.slice(0, single.questions.length).reduce((sum, { usd }) => sum + usd, 0)
    const capUsd = Number((whole / 2).toFixed(6))
    try {
      const coordinator = fleet.coordinator(["--budget", `${capUsd}usd`])
      const workers = [0, 1, 2].map((i) => fleet.worker(`b${i}`))
      const said = () => coordinator.said() + workers.map((member) => member.said()).join("")
      expect(await coordinator.ended, said()).toBe(5)
      expect(coordinator.said()).toContain(`the budget of $${capUsd} has no room for another call`)
      const billedUsd = service.book.slice(before).reduce((sum, { usd }) => sum + usd, 0)
      expect(billedUsd).toBeLessThanOrEqual(capUsd)
      expect(billedUsd).toBeGreaterThan(0.5 * capUsd)
    } finally {
      fleet.end()
    }
  }, 180_000)
})
