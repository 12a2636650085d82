import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createRandom } from "evalkit/engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { drawArrivals } from "../../../src/perf/load/arrivals.ts"
import { runCli } from "../../support/cli.ts"
import { serveLoopback } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit, startEndpoint } from "./endpoint.ts"

const folder = scratchDirectory()
let endpoint: Awaited<ReturnType<typeof startEndpoint>>
let parts: Awaited<ReturnType<typeof runCli>>[]
let asked: readonly string[]

const load = ["--model", "m", "--rate", "20", "--requests", "40", "--seed", "7", "--price", "1/2", "--slo", "e2e<1s"]
const quick = ["--no-calibrate", "--capture-threads", "0"]
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const bench = (...args: string[]) => evalkit(["bench", ...args], folder)

/** Two workers in processes of their own, one load. */
beforeAll(async () => {
  endpoint = await startEndpoint()
  const startAt = inSeconds(12)
  parts = await Promise.all(
    [1, 2].map((number) => {
      const own = ["--shard", `${number}/2`, "--start-at", startAt, "--out", `${number}.jsonl`, "--json"]
      return runCli(["bench", "--url", endpoint.url, ...load, ...quick, ...own], { cwd: folder })
    }),
  )
  asked = [...endpoint.prompts]
}, 60_000)
afterAll(async () => {
  await endpoint.close()
})

describe("evalkit bench --shard", () => {
  it("sends what one process would send, at its moments, and no prompt twice", async () => {
    expect(parts.map(({ code }) => code)).toEqual([0, 0])
    endpoint.prompts.length = 0
    await bench("--url", endpoint.url, ...load, ...quick, "--no-warm-up")
    const whole = new Set(endpoint.prompts)
    expect(whole.size).toBe(40)
    expect(asked.filter((prompt) => whole.has(prompt)).length).toBe(40)
    expect(new Set(asked).size).toBe(asked.length)
    const requests = [1, 2].flatMap((number) =>
      readFileSync(join(folder, `${number}.jsonl`), "utf8")
        .split("\n")
        .slice(1, -1)
        .map((line) => JSON.parse(line)),
    )
    // Stamps count from the start of all, by which each request was due.
    for (const { dueMs, answer } of requests) expect(answer.log.scheduledMs).toBeCloseTo(dueMs, 3)
    // Connections that the server closed while the workers waited are open again.
    for (const { place, answer } of requests) if (place < 2) expect(answer.log.connectMs).toBeNull()
    const due: readonly number[] = requests.map(({ dueMs }) => dueMs)
    const arrivals = drawArrivals({ process: "poisson", ratePerSecond: 20, count: 40 }, createRandom(7))
    expect(due.toSorted((a, b) => a - b)).toEqual([...arrivals])
  })

  it("begins together: the server sees the stream of one process", async () => {
    const { out } = await bench("--merge", "1.jsonl", "2.jsonl", "--json")
    const [level] = JSON.parse(out)
    expect(level).toMatchObject({ requests: 40, ok: 40, outcomes: { ok: 40 }, slo_attainment: 1, availability: 1 })
    const arrivals = drawArrivals({ process: "poisson", ratePerSecond: 20, count: 40 }, createRandom(7))
    expect(level.rate).toBeCloseTo(39_000 / (arrivals.at(-1) as number), 9)
    expect(level.achieved_rate / level.rate).toBeGreaterThan(0.9)
    expect(level.achieved_rate / level.rate).toBeLessThan(1.1)
    expect(level.cost_usd).toBeCloseTo((40 * (10 + 2 * 4)) / 1e6, 12)
    const own = parts.map(({ stdout }) => JSON.parse(stdout)[0])
    expect(level.system_tps).toBeGreaterThan(1.5 * Math.min(...own.map(({ system_tps }) => system_tps)))
    expect(level.workers.map(({ shard, requests }: { shard: string; requests: number }) => [shard, requests])).toEqual([
      ["1/2", 20],
      ["2/2", 20],
    ])
    for (const [i, { clock, lag_ms, gap_ms, schedule_error }] of level.workers.entries()) {
      expect(clock).toMatchObject({ server: new URL(endpoint.url).origin, reason: null })
      expect(Math.abs(clock.ahead_ms)).toBeLessThanOrEqual(clock.error_ms + 50)
      expect(gap_ms).toBeCloseTo(2000 / level.rate, 9)
      expect(schedule_error).toBeCloseTo(lag_ms.p99 / gap_ms, 9)
      expect(own[i].workers).toEqual([level.workers[i]])
    }
  })

  it("names the worker that makes the level invalid, in the terminal, as JSON and on the page", async () => {
    const [head, ...rows] = readFileSync(join(folder, "2.jsonl"), "utf8").split("\n")
    const late = rows.map((row) => {
      if (row === "") return row
      const request = JSON.parse(row)
      request.answer.log.sendMs = request.answer.log.scheduledMs + 20
      return JSON.stringify(request)
    })
    writeFileSync(join(folder, "late.jsonl"), [head, ...late].join("\n"))
    const text = await bench("--merge", "1.jsonl", "late.jsonl", "--html", "late.html")
    expect(text.out).toMatch(
      /INVALID: worker 2\/2 \(.+\) did not keep its schedule: sent 20.0 ms late at p99, \d+\.\d % of/,
    )
    const [level] = JSON.parse((await bench("--merge", "1.jsonl", "late.jsonl", "--json")).out)
    expect(level.valid).toBe(false)
    const page = readFileSync(join(folder, "late.html"), "utf8")
    expect(page).toMatch(/Invalid: worker 2\/2/)
    expect(page).toContain("invalid: schedule of")
    expect(page).toMatch(/Worker 1\/2 \(.+\): 20 requests/)
  })

  it("says which parts are missing, come twice or belong to another load", async () => {
    const other = readFileSync(join(folder, "2.jsonl"), "utf8").replace('"seed":7', '"seed":8')
    writeFileSync(join(folder, "other.jsonl"), other)
    const refused = async (message: string, ...paths: string[]) =>
      expect(await bench("--merge", ...paths)).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) })
    await refused("parts of the load are missing: 2/2", "1.jsonl")
    await refused("a part comes twice: 1/2: 1.jsonl and 1.jsonl", "1.jsonl", "1.jsonl")
    await refused("1.jsonl and other.jsonl: seed: 7 and 8", "1.jsonl", "other.jsonl")
    await refused("cannot be read: none.jsonl", "1.jsonl", "none.jsonl")
    expect(await bench("--merge", "1.jsonl", "2.jsonl", "--rate", "5")).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("--merge measures nothing"),
    })
  })

  it("begins with everybody or not at all", async () => {
    const slow = await serveLoopback((request, response) => {
      if (request.method === "POST") setTimeout(() => response.writeHead(500).end(), 2500)
      else response.end("{}")
    })
    const url = slow.url
    const own = ["--shard", "1/2", "--start-at", inSeconds(2), "--out", "missed.jsonl"]
    const missed = await bench("--url", url, ...load, ...quick, ...own)
    await slow.close()
    expect(missed).toMatchObject({ exitCode: 5, err: expect.stringContaining("the agreed start was missed") })
    expect(existsSync(join(folder, "missed.jsonl"))).toBe(false)
  })

  it("refuses what cannot be shared, before anything is sent", async () => {
    endpoint.bodies.length = 0
    const target = ["--url", endpoint.url, "--model", "m"]
    const share = ["--shard", "1/2", "--seed", "7", "--out", "x.jsonl"]
    const refused = async (message: string, ...args: string[]) =>
      expect(await bench(...target, ...args), message).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining(message),
      })
    const soon = ["--start-at", inSeconds(60)]
    await refused("--shard needs --seed, --start-at and --out", "--rate", "5", ...share)
    await refused("go with --shard", "--rate", "5", ...soon)
    await refused("a shard is written i/n", "--rate", "5", ...share.slice(2), ...soon, "--shard", "3/2")
    await refused("a time with its zone", "--rate", "5", ...share, "--start-at", "2026-11-23T10:00:00")
    await refused("the start has passed", "--rate", "5", ...share, "--start-at", "2020-01-01T00:00:00Z")
    await refused("more than a day ahead", "--rate", "5", ...share, "--start-at", "2999-01-01T00:00:00Z")
    await refused("workers share one open loop", "--concurrency", "8", ...share, ...soon)
    await refused("workers share one open loop", "--rate", "5,10", ...share, ...soon)
    await refused("no --prompt-cache", "--rate", "5", "--prompt-cache", "both", ...share, ...soon)
    await refused("more workers than it has requests", "--rate", "5", "--requests", "1", ...share, ...soon)
    await refused("--clock must be a web address", "--rate", "5", ...share, ...soon, "--clock", "ntp.org")
    expect(endpoint.bodies).toEqual([])
  })
})
