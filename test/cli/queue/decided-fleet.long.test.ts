import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { stoppingRecord } from "../../../src/analyse/interim/stopped-early.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { createFleet } from "../../support/fleet/fleet.ts"
import { writeServiceProject } from "../../support/fleet/service-project.ts"
import { type Asked, startService } from "../../support/fleet/service-server.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"

const postgres = postgresBinaries === null ? null : await startPostgres()
afterAll(() => postgres?.stop())

const samples = 400
const concurrency = 4

const questionOf = ({ text }: Pick<Asked, "text">): string => /text \d+/.exec(text)?.[0] ?? ""

/** The baseline is right in two of three samples, the candidate in one of two. */
const isRight = (asked: Pick<Asked, "model" | "text">): boolean => {
  const number = Number(/\d+/.exec(questionOf(asked))?.[0])
  return asked.model === "base" ? number % 3 !== 0 : number % 2 !== 0
}

/** What was decided, when, and by which figures; times are left out. */
function decisionOf(store: RunStore) {
  const [record] = store.runs()
  const stopped = stoppingRecord(store, record!.id)
  const { variants, comparisons } = store.report(record!.id)!
  const calls = [...store.finished(record!.id)].map(({ variant, sampleId }) => `${variant} ${sampleId}`).sort()
  store.close()
  return {
    stopped: { ...stopped, asked: [...(stopped?.asked ?? [])], at: [...(stopped?.at ?? [])] },
    quality: variants.map(({ name, finished, quality }) => ({ name, finished, quality })),
    metrics: comparisons.map(({ candidate, metrics }) => ({ candidate, metrics })),
    calls,
  }
}

/** How many questions were asked, in the mean, while a right or a wrong answer was waited for. */
function askedMeanwhile(book: readonly Asked[], right: boolean): number {
  const some = book.filter((asked) => isRight(asked) === right && asked.answeredMs !== null)
  const meanwhile = some.map((own) => book.filter(({ atMs }) => atMs > own.atMs && atMs < own.answeredMs!).length)
  return meanwhile.reduce((sum, count) => sum + count, 0) / some.length
}

/** Lets something wait until so many more were asked, or nobody has asked for a second: a run waits for all of them at its looks. */
function createLater(count: number) {
  let asked = 0
  let waiting: { readonly until: number; go(): void }[] = []
  let hasEnded = false
  const release = (upTo: number): void => {
    for (const { until, go } of waiting) if (until <= upTo) go()
    waiting = waiting.filter(({ until }) => until > upTo)
  }
  let quiet: NodeJS.Timeout | undefined
  return {
    asked() {
      release(++asked)
      clearTimeout(quiet)
      quiet = setTimeout(() => release(Number.POSITIVE_INFINITY), 1_000)
    },
    wait: () => new Promise<void>((go) => (hasEnded ? go() : waiting.push({ until: asked + count, go }))),
    end() {
      hasEnded = true
      release(Number.POSITIVE_INFINITY)
    },
  }
}

it.skipIf(postgres === null)(
  "stops with the decision and the figures of one process, although right answers come sooner than wrong ones",
  async () => {
    const folder = scratchDirectory()
    writeServiceProject(folder, samples)
    // What is wrong takes long, by what is asked meanwhile and not by a clock: on a busy machine any time may be short.
    const later = createLater(12)
    const service = await startService((asked) => {
      later.asked()
      return isRight(asked) ? { text: questionOf(asked) } : { text: "something else", after: later.wait() }
    })
    const { url } = postgres!
    const environment = { SERVICE_URL: service.baseUrl }
    const fleet = createFleet({ folder, queue: url, store: url, askUrl: null, concurrency, environment })
    try {
      const coordinator = fleet.coordinator(["--until", "decided"])
      const workers = [0, 1, 2].map((i) => fleet.worker(`w${i}`))
      expect(await coordinator.ended, coordinator.said() + workers.map((member) => member.said()).join("")).toBe(0)
      const there = decisionOf(postgresStore(url).open({ readonly: true }))
      // Whoever read what has come so far would read the right ones.
      expect(askedMeanwhile(service.book, false)).toBeGreaterThan(askedMeanwhile(service.book, true) + 3)
      // A worker whom the machine gives no time for five seconds is taken for gone, and costs what it had in flight.
      expect(service.askedAgain()).toBeLessThanOrEqual(3 * concurrency)
      later.end()
      const single = fleet.single(["--until", "decided"])
      expect(await single.ended, single.said()).toBe(0)
      const here = decisionOf(openRunStore(join(folder, ".evalkit"), { readonly: true }))
      expect(there).toEqual(here)
      expect(here.stopped.states?.map(({ status }) => status)).toEqual(["inferior"])
      expect(here.calls.length).toBeLessThan(2 * samples)
    } finally {
      fleet.end()
      await service.close()
    }
  },
  240_000,
)
