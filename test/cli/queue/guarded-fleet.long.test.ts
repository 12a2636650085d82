import { afterAll, describe, expect, it } from "vitest"
import { createFleet } from "../../support/fleet/fleet.ts"
import { writeServiceProject } from "../../support/fleet/service-project.ts"
import { startService, usdPerToken } from "../../support/fleet/service-server.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"

const postgres = postgresBinaries === null ? null : await startPostgres()
afterAll(() => postgres?.stop())

const samples = 200

describe.skipIf(postgres === null)("what all workers together may do", () => {
  const whole = scratchDirectory()
  writeServiceProject(whole, samples)
  const fleetFor = async (name: string, baseUrl: string, folder = whole) => {
    await postgres!.create(name)
    const url = postgres!.url.replace(/\/postgres$/, `/${name}`)
    const environment = { SERVICE_URL: baseUrl }
    return createFleet({ folder, queue: url, store: url, askUrl: null, concurrency: 4, environment })
  }

  it("costs no more at the service than the budget has, and nearly as much", async () => {
    // Prompts are billed a token per four characters where evalkit sets one per three aside, and answers are as long as they may be.
    const service = await startService(({ text }) => ({ text, delayMs: 20 }), { isGreedy: true })
    const capUsd = 0.003
    const fleet = await fleetFor("capped", service.baseUrl)
    try {
      const coordinator = fleet.coordinator(["--budget", `${capUsd}usd`])
      const workers = [0, 1, 2].map((i) => fleet.worker(`w${i}`))
      const said = () => coordinator.said() + workers.map((member) => member.said()).join("")
      expect(await coordinator.ended, said()).toBe(5)
      // The progress says what the store counts, which is never more than the budget; before, it stood at $0.
      const lines = [...coordinator.said().matchAll(/^.*generating (\d+) of .*, \$([\d.]+)/gm)]
      expect(lines.length, said()).toBeGreaterThan(0)
      for (const [, answers, usd] of lines) {
        expect(Number(usd)).toBeLessThanOrEqual(capUsd)
        if (Number(answers) > 20) expect(Number(usd)).toBeGreaterThan(0)
      }
      expect(coordinator.said()).toContain("the budget of $0.003 has no room for another call")
      const billedUsd = service.book.reduce((sum, { usd }) => sum + usd, 0)
      expect(billedUsd).toBeLessThanOrEqual(capUsd)
      expect(billedUsd).toBeGreaterThan(0.7 * capUsd)
      expect(new Set(service.book.map(({ worker }) => worker)).size).toBe(3)
    } finally {
      fleet.end()
      await service.close()
    }
  }, 180_000)

  it("has room for a call whose worst case does not fit beside those in flight, once they have ended", async () => {
    const service = await startService(({ text }) => ({ text, delayMs: 20 }))
    const wide = scratchDirectory()
    const maxTokens = 4_000
    writeServiceProject(wide, 40, maxTokens)
    const fleet = await fleetFor("wide", service.baseUrl, wide)
    try {
      // Six fit beside each other, and all eighty one after the other.
      const coordinator = fleet.coordinator(["--budget", `${6.5 * maxTokens * usdPerToken}usd`])
      const worker = fleet.worker("w")
      expect(await coordinator.ended, coordinator.said() + worker.said()).toBe(0)
      expect(service.book).toHaveLength(80)
    } finally {
      fleet.end()
      await service.close()
    }
  }, 120_000)

  it("waits for everybody when the service asks one worker to wait", async () => {
    let refusedMs = 0
    const service = await startService((asked) => {
      const isFirst = refusedMs === 0 && asked.model === "base" && service.book.length > 60
      if (isFirst) refusedMs = Date.now()
      return isFirst ? { text: "", refuse: { status: 429, retryAfterSeconds: 2 } } : { text: asked.text, delayMs: 30 }
    })
    const fleet = await fleetFor("asked_to_wait", service.baseUrl)
    try {
      const coordinator = fleet.coordinator()
      const workers = [0, 1, 2].map((i) => fleet.worker(`w${i}`))
      expect(await coordinator.ended, coordinator.said() + workers.map((member) => member.said()).join("")).toBe(0)
      const to = (fromMs: number, toMs: number) =>
        service.book.filter(
          ({ model, atMs }) => model === "base" && atMs > refusedMs + fromMs && atMs < refusedMs + toMs,
        )
      expect(refusedMs).toBeGreaterThan(0)
      expect(to(-1_000, 0).length).toBeGreaterThan(0)
      expect(to(1_000, 2_000)).toEqual([])
      expect(to(2_000, 60_000).length).toBeGreaterThan(20)
      expect(service.askedAgain()).toBe(1)
    } finally {
      fleet.end()
      await service.close()
    }
  }, 180_000)
})
