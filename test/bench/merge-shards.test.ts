import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createRandom } from "evalkit/engine"
import { figureValue } from "evalkit/reports"
import { beforeAll, describe, expect, it } from "vitest"
import { measureLevel } from "../../src/bench/measure-level.ts"
import { mergeShards, scheduleHash } from "../../src/bench/shards/merge-shards.ts"
import { type ShardRecord, type ShardRequest, withoutTexts } from "../../src/bench/shards/shard-record.ts"
import { readShard, writeShard } from "../../src/cli/bench/shards/shard-file.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import { isVoid } from "../../src/perf/bench/load-worker.ts"
import { parseSlo } from "../../src/perf/bench/slo.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import type { OpenLoop } from "../../src/perf/load/load-plan.ts"
import { tokenPrice } from "../cost/generations.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { fakeSession, loadDefaults } from "./fake-session.ts"

const folder = scratchDirectory()

const slo = parseSlo("ttft<12ms")
const arrivals = drawArrivals({ process: "poisson", ratePerSecond: 400, count: 200 }, createRandom(7))
const plan: OpenLoop = { kind: "open", arrivals, description: "poisson, seed 7" }

let single: BenchLevel
let recorded: readonly ShardRequest[] = []

/** One process sends all of it: some requests fail, some are slow. */
beforeAll(async () => {
  const requests: ShardRequest[] = []
  const session = fakeSession((index) => ({
    firstMs: index % 5 === 0 ? 20 : 8 + (index % 7) / 3,
    intervalMs: 1,
    tokens: 3 + (index % 4),
    outcome: index % 11 === 0 ? "http_5xx" : index % 13 === 0 ? "truncated" : "ok",
  }))
  const [level] = await measureLevel({
    ...loadDefaults,
    targets: [
      {
        ...{ name: "m", session, price: tokenPrice, fixedLength: true, askedTokensOf: () => 4 },
        requestOf: () => ({ messages: [{ role: "user", content: "hello" }], parameters: {} }),
        warmUpRequestOf: () => ({ messages: [], parameters: {} }),
      },
    ],
    ...{ plan, blocks: 1, slo, signal: new AbortController().signal },
    calibrate: async () => null,
    onAnswer: (answer, index, askedTokens) =>
      requests.push({ place: index, dueMs: arrivals[index] as number, askedTokens, answer: withoutTexts(answer) }),
  })
  single = level as BenchLevel
  recorded = requests
})

/** What each of `of` workers would have kept of it. */
function records(of: number, change: Partial<ShardRecord> = {}): readonly ShardRecord[] {
  return Array.from({ length: of }, (_, i) => ({
    shard: { number: i + 1, of },
    settings: {
      ...{ evalkit: "0.1.0", variant: "m", endpoint: "host:80", price: tokenPrice, slo, availabilityTarget: 0.999 },
      ...{ fixedLength: true, arrivals: plan.description, seed: 7, requests: arrivals.length },
      ...{ schedule: scheduleHash(arrivals), prompts: "p", workers: of, startAt: "2026-11-23T10:00:00.000Z" },
    },
    ...{ host: `host-${i + 1}`, contextWindow: null, durationMs: single.durationMs },
    clock: { server: "http://host", aheadMs: 3, errorMs: 1, reason: null },
    clientError: {
      ...{ ttftMsP50: 0.1 * (i + 1), ttftMsP99: 0.2, itlMsP50: 0.01, itlMsP99: 0.02 },
      ...{ requests: 8, chunks: 600, chunksPerSecond: 300, concurrency: 8 },
    },
    clientLoad: single.clientLoad,
    ...{ transport: "undici", remarks: ["a remark"] },
    requests: recorded.filter(({ place }) => place % of === i),
    ...change,
  }))
}

/** The records after they were written and read again. */
async function throughFiles(shards: readonly ShardRecord[]) {
  const paths = shards.map((_, i) => join(folder, `${i}.jsonl`))
  for (const [i, shard] of shards.entries()) await writeShard(paths[i] as string, shard)
  return Promise.all(paths.map((path) => readShard(path, folder)))
}

const figuresOf = (level: BenchLevel) => {
  const { workers: _, clientError: __, clientLoad: ___, doubtful: ____, ...figures } = level
  return figures
}

async function merged(of: number): Promise<BenchLevel> {
  const files = await throughFiles(records(of))
  return mergeShards([...files].reverse(), null).levels[0] as BenchLevel
}

describe("the parts of a load, merged", () => {
  it("have the figures of one process that was given the same answers", async () => {
    const level = await merged(1)
    for (const of of [2, 3, 7]) expect(figuresOf(await merged(of))).toEqual(figuresOf(level))
    for (const name of ["requests", "answered", "outcomes", "attainment", "lagMs", "lengths", "offeredRate"] as const)
      expect(level[name], name).toEqual(single[name])
    for (const name of ["ttftMs", "ttftFromIntentMs", "itlMs", "tpotMs", "e2eMs"] as const)
      for (const percentile of ["p50", "p90", "p99"] as const)
        expect(level.speed[name][percentile], `${name} ${percentile}`).toEqual(single.speed[name][percentile])
    const pairs = [
      [level.speed.systemTokensPerSecond, single.speed.systemTokensPerSecond],
      [level.speed.requestsPerSecond, single.speed.requestsPerSecond],
      [level.sloAttainment, single.sloAttainment],
      [level.availability, single.availability],
      [level.achievedRate, single.achievedRate],
      [level.cost.totalUsd, single.cost.totalUsd],
      [level.cost.failedUsd, single.cost.failedUsd],
      [level.tokens.completion, single.tokens.completion],
    ] as const
    for (const [joined, whole] of pairs) expect(figureValue(joined)).toBeCloseTo(figureValue(whole) ?? Number.NaN, 9)
    expect(level.plan).toEqual(plan)
    expect([...level.failureExamples.keys()]).toEqual([...single.failureExamples.keys()])
    // By the stamps: how many a busy machine really had under way while it made them is another number.
    const spans = recorded.map(({ dueMs, answer: { log } }) => {
      const startMs = dueMs + log.sendMs - log.scheduledMs
      return [startMs, startMs + log.endMs - log.sendMs] as const
    })
    const underWay = spans.map(([atMs]) => spans.filter(([from, to]) => from <= atMs && to > atMs).length)
    expect(level.peakInFlight).toBe(Math.max(...underWay))
  })

  it("take the largest error of any client, and none where one was not measured", async () => {
    const three = await merged(3)
    expect(three.clientError?.ttftMsP50).toBeCloseTo(0.3, 9)
    const [first, ...rest] = await throughFiles(records(2))
    const without = rest.map((file) => ({ ...file, record: { ...file.record, clientError: null } }))
    expect(mergeShards([first as (typeof rest)[number], ...without], null).levels[0]?.clientError).toBeNull()
  })

  it("are invalid where one worker was late by more than 5 % of the time between its requests", async () => {
    const files = await throughFiles(records(2))
    const late = (byMs: number) =>
      mergeShards(
        files.map(({ path, record }) => ({
          path,
          record: {
            ...record,
            requests: record.requests.map((request) => {
              const { log } = request.answer
              const lagMs = record.shard.number === 2 ? byMs : 0
              return { ...request, answer: { ...request.answer, log: { ...log, sendMs: log.scheduledMs + lagMs } } }
            }),
          },
        })),
        null,
      ).levels[0] as BenchLevel
    const gapMs = (2 * (arrivals.at(-1) as number)) / (arrivals.length - 1)
    const [kept, broken] = [late(0.04 * gapMs), late(0.06 * gapMs)]
    expect(kept.workers?.map(({ scheduleError }) => figureValue(scheduleError))).toEqual([0, expect.closeTo(0.04, 6)])
    expect([isVoid({ ...kept, doubtful: [] }), isVoid({ ...broken, doubtful: [] })]).toEqual([false, true])
  })

  it("are refused where they do not belong together, with the difference", async () => {
    const [first, second] = await throughFiles(records(2))
    const with2 = (change: Partial<ShardRecord>) => () =>
      mergeShards([first, { ...second, record: { ...second?.record, ...change } }] as never, null)
    const settings = second?.record.settings as ShardRecord["settings"]
    expect(with2({ settings: { ...settings, seed: 8 } })).toThrow(/different loads: .*seed: 7 and 8/)
    expect(with2({ settings: { ...settings, evalkit: "0.2.0", prompts: "q" } })).toThrow(
      /evalkit: "0.1.0" and "0.2.0"; prompts: "p" and "q"/,
    )
    expect(with2({ settings: { ...settings, startAt: "2026-11-23T10:01:00.000Z" } })).toThrow(/startAt/)
    expect(with2({ shard: { number: 1, of: 2 } })).toThrow(/comes twice: 1\/2/)
    expect(() => mergeShards([first as never], null)).toThrow(/missing: 2\/2/)
    expect(with2({ requests: second?.record.requests.slice(1) ?? [] })).toThrow(
      /every request of its plan once: .*99 requests, 100 planned/,
    )
    const doubled = second?.record.requests.map((own, i) => (i === 1 ? (second.record.requests[0] ?? own) : own))
    expect(with2({ requests: doubled ?? [] })).toThrow(/once/)
    const moved = second?.record.requests.map((request) => ({ ...request, dueMs: request.dueMs + 0.001 }))
    expect(with2({ requests: moved ?? [] })).toThrow(/do not add up to the planned load/)
  })

  it("are refused where a file is cut off, hostile or something else", async () => {
    await throughFiles(records(2))
    const text = readFileSync(join(folder, "0.jsonl"), "utf8")
    const read = (changed: string) => {
      writeFileSync(join(folder, "bad.jsonl"), changed)
      return readShard("bad.jsonl", folder)
    }
    await expect(read("")).rejects.toThrow(/not what evalkit bench --shard wrote: bad.jsonl: the file is empty/)
    await expect(read('{"kind":"x"}\n')).rejects.toThrow(/bad.jsonl:1: kind/)
    await expect(read(text.slice(0, -40))).rejects.toThrow(
      /bad.jsonl:101: the line is not JSON: it may have been cut off/,
    )
    await expect(read(text.replace('"number":1', '"number":3'))).rejects.toThrow(/number/)
    await expect(read(text.replace('"sendMs":', '"sendMs":"x","was":'))).rejects.toThrow(/answer.log.sendMs/)
    await expect(readShard("absent.jsonl", folder)).rejects.toThrow(/cannot be read: absent.jsonl/)
  })
})
