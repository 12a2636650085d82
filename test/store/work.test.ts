import { expect, it } from "vitest"
import { attemptOf, type Generation } from "../../src/core/generation.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import { fakeAnswer } from "../support/fake-provider.ts"
import { scratchStore } from "../support/scratch-store.ts"

const using = (test: (store: RunStore) => void | Promise<void>) => async () => {
  const store = scratchStore()
  await test(store)
}
const priceless = { status: "unknown", reason: "no price" } as const
const priced = (generation: Generation) => generation
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it(
  "gives workers numbers, and knows since when each is silent",
  using((store) => {
    expect([
      store.registerWorker("r", "one", {}),
      store.registerWorker("r", "two", { host: "h" }),
      store.registerWorker("s", "one", {}),
    ]).toEqual([1, 2, 1])
    expect(store.heartbeat("r", 2, { host: "i" })).toBe(true)
    expect(store.heartbeat("r", 3, {})).toBe(false)
    const [first, second] = store.workers("r")
    expect(first).toMatchObject({ number: 1, name: "one" })
    expect(second).toMatchObject({ number: 2, name: "two", data: { host: "i" } })
    expect(second?.silentSeconds).toBeLessThan(30)
    expect(second?.silentSeconds).toBeGreaterThanOrEqual(0)
  }),
)

it(
  "gives a slice to one worker, and to another once that one is silent",
  using(async (store) => {
    for (const name of ["one", "two"]) store.registerWorker("r", name, {})
    expect(store.claim("r", 7, 1, 60)).toBe(true)
    expect(store.claim("r", 7, 1, 60)).toBe(true)
    expect(store.claim("r", 7, 2, 60)).toBe(false)
    expect(store.hasClaim("r", 7, 1)).toBe(true)
    await pause(30)
    expect(store.orphans("r", 60)).toEqual([])
    expect(store.orphans("r", 0.01)).toEqual([7])
    expect(store.claim("r", 7, 2, 0.01)).toBe(true)
    expect(store.hasClaim("r", 7, 1)).toBe(false)
    store.releaseClaim("r", 7, 1)
    expect(store.hasClaim("r", 7, 2)).toBe(true)
    store.releaseClaim("r", 7, 2)
    expect(store.claim("r", 7, 1, 60)).toBe(true)
  }),
)

it(
  "leases no more of a quota than there is, and takes back what was not used",
  using((store) => {
    store.registerWorker("r", "one", {})
    const lease = { quota: "usd", worker: 1 }
    expect(store.lease("r", lease, 1, 0, 1)).toBe(false)
    store.setQuota("r", "usd", 10, 4)
    expect(store.lease("r", lease, 6.5, 0, 1)).toBe(false)
    // Sent again with its number, a statement is not carried out again.
    for (let i = 0; i < 2; i++) expect(store.lease("r", lease, 5, 1, 1)).toBe(true)
    expect(store.quota("r", "usd")).toEqual({ most: 10, used: 9 })
    store.keepOpen("r", lease, 3)
    store.keepOpen("r", lease, 3)
    store.keepOpen("r", lease, 4)
    expect(store.quota("r", "usd")?.used).toBe(7)
    for (let i = 0; i < 2; i++) store.settle("r", lease, 2, 0.5, 2)
    store.reclaim("r", 60)
    expect(store.quota("r", "usd")?.used).toBe(5.5)
    store.setQuota("r", "usd", 20, 0)
    expect(store.quota("r", "usd")).toEqual({ most: 20, used: 5.5 })
    for (let i = 0; i < 2; i++) store.charge("r", lease, 1, 3)
    expect(store.quota("r", "usd")?.used).toBe(6.5)
  }),
)

it(
  "takes back the lease of a worker that is silent, but for what it may have had in flight",
  using(async (store) => {
    const [dead, alive] = ["dead", "alive"].map((name) => store.registerWorker("r", name, {})) as [number, number]
    store.setQuota("r", "usd", 100, 0)
    store.lease("r", { quota: "usd", worker: dead }, 10, 3, 1)
    store.lease("r", { quota: "usd", worker: alive }, 10, 3, 1)
    store.settle("r", { quota: "usd", worker: dead }, 4, 1, 2)
    await pause(600)
    store.heartbeat("r", alive, {})
    store.reclaim("r", 0.5)
    // One was spent, three may have been in flight, and the ten of the living.
    expect(store.quota("r", "usd")?.used).toBe(14)
    store.settle("r", { quota: "usd", worker: dead }, 3, 2, 3)
    store.keepOpen("r", { quota: "usd", worker: dead }, 0)
    store.heartbeat("r", alive, {})
    store.reclaim("r", 0.5)
    expect(store.quota("r", "usd")?.used).toBe(14)
  }),
)

it(
  "lets what is sent queue up at a pace, and stops it for as long as an endpoint asked for",
  using((store) => {
    expect(store.reserveSlot("r", "x", 10, 60)).toBe(0)
    const wait = store.reserveSlot("r", "x", 1, 60)
    expect(wait).toBeGreaterThan(5)
    expect(wait).toBeLessThanOrEqual(10)
    store.pause("r", "x", 100)
    store.pause("r", "x", 5)
    store.pause("r", "y", 0)
    const left = store.pauses("r").get("x")
    expect(left).toBeGreaterThan(50)
    expect(left).toBeLessThanOrEqual(100)
    expect(store.pauses("r").has("y")).toBe(false)
  }),
)

it(
  "takes the first answer to a call, refuses another without a word, and opens a failed call again",
  using((store) => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("first")
    const failed = {
      outcome: "http_5xx",
      log: answer.log,
      httpStatus: 500,
      failure: null,
      usage: answer.usage,
    } as const
    const key = { variant: "a", sampleId: "s", repeat: 0 }
    const call = {
      source: "measured",
      segment: 0,
      position: 3,
      cost: priceless,
    } as const
    store.saveAttempt("r", key, failed)
    expect(store.addGeneration("r", { ...answer, ...key, ...call, retries: [failed] }, priced)).toBe(true)
    expect([...store.attempts("r")]).toEqual([])
    expect(store.addGeneration("r", { ...answer, ...key, ...call, retries: [], text: "second" }, priced)).toBe(false)
    expect(store.addGeneration("r", { ...answer, ...key, ...call, retries: [failed], text: "third" }, priced)).toBe(
      false,
    )
    const [kept] = store.generations("r", "a")
    expect(kept?.text).toBe("first")
    expect(store.countFinished("r")).toEqual(new Map([["a", 1]]))
    expect(store.finishedTo("r", "a", ["s", "t"])).toEqual([{ ...key, position: 3, outcome: "ok" }])
    expect(store.finishedTo("r", "a", ["t"])).toEqual([])
    if (kept) store.reopenCall("r", kept)
    expect(store.countFinished("r")).toEqual(new Map())
    expect([...store.attempts("r", key)].map(({ attempt }) => attempt.outcome)).toEqual(["http_5xx", "ok"])
  }),
)

it(
  "keeps a refused second answer among the attempts of the first, each once, with what it cost",
  using((store) => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("first")
    const key = { variant: "a", sampleId: "s", repeat: 0 }
    const call = { source: "measured", segment: 0, position: 3, cost: priceless } as const
    const price = (generation: Generation): Generation => ({
      ...generation,
      cost: { status: "known", usd: 1 + generation.retries.length, parts: {} },
    })
    const at = (sendMs: number, outcome: "ok" | "connection" = "ok") => ({
      ...answer,
      outcome,
      log: { ...answer.log, sendMs },
    })
    const failed = attemptOf(at(50, "connection"))
    expect(store.addGeneration("r", { ...at(10), ...key, ...call, retries: [] }, price)).toBe(true)
    store.saveAttempt("r", key, failed)
    const late = { ...at(90, "connection"), ...key, ...call, retries: [failed] }
    // The confirmation of a commit may be lost: it is written again.
    for (let time = 0; time < 2; time++) expect(store.addGeneration("r", late, price)).toBe(false)
    expect(store.addGeneration("r", { ...at(95), ...key, ...call, retries: [], text: "second" }, price)).toBe(false)
    const [kept] = store.generations("r", "a")
    expect([kept?.text, kept?.retries.map(({ log }) => log.sendMs).sort()]).toEqual(["first", [50, 90, 95]])
    expect([...store.attempts("r")]).toEqual([])
    expect(kept?.cost).toMatchObject({ status: "known", usd: 4 })
  }),
)

it(
  "puts an answer in the place of a failed one, with every attempt that is on record",
  using((store) => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("right")
    const { retryAfterMs: _other, ...failure } = fakeAnswer("", "connection")
    const key = { variant: "a", sampleId: "s", repeat: 0 }
    const call = {
      source: "measured",
      segment: 0,
      position: 3,
      cost: priceless,
    } as const
    const attempt = {
      outcome: "http_5xx",
      log: answer.log,
      httpStatus: 500,
      failure: null,
      usage: answer.usage,
    } as const
    expect(store.addGeneration("r", { ...failure, ...key, ...call, retries: [] }, priced)).toBe(true)
    store.saveAttempt("r", key, attempt)
    expect(store.addGeneration("r", { ...answer, ...key, ...call, retries: [] }, priced)).toBe(true)
    const [kept] = store.generations("r", "a")
    expect([kept?.text, kept?.retries.map(({ outcome }) => outcome)]).toEqual(["right", ["connection", "http_5xx"]])
    expect([...store.attempts("r")]).toEqual([])
  }),
)

it(
  "makes a lease as large as is said, however often, where the quota has room",
  using((store) => {
    store.setQuota("r", "slots", 2, 0)
    const mine = { quota: "slots", worker: store.registerWorker("r", "one", {}) }
    const other = { quota: "slots", worker: store.registerWorker("r", "other", {}) }
    expect([store.hold("r", mine, 1), store.hold("r", mine, 1), store.hold("r", other, 1)]).toEqual([true, true, true])
    expect([store.hold("r", mine, 2), store.quota("r", "slots")?.used]).toEqual([false, 2])
    expect([store.hold("r", other, 0), store.hold("r", other, 0), store.hold("r", mine, 2)]).toEqual([true, true, true])
    expect(store.quota("r", "slots")?.used).toBe(2)
  }),
)
