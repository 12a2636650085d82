import { readFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import type { EpisodeStep } from "../../src/core/episode/step.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import { postgres } from "../../src/store/postgres.ts"
import { fakeAnswer, fakeGeneration } from "../support/fake-provider.ts"
import { postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

const { log, usage } = fakeGeneration("an answer")
const retries = [{ outcome: "http_5xx", log, httpStatus: 500, failure: { message: "boom" }, usage }] as const
const generation = (sampleId: string, position: number) => fakeGeneration("an answer", { sampleId, position, retries })
const call = (sampleId: string) => ({ variant: "a", sampleId, repeat: 0 })

describe.skipIf(server === null)("the roles that docs/scale.md grants", async () => {
  if (!server) return
  postgres(server.url).open().close()
  const page = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8")
  const grants = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? "")
  for (const name of ["author", "reader", "worker"]) await server.run(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`)
  for (const sql of grants) await server.run(sql)
  const as = (name: string): RunStore => {
    const url = new URL(server.url)
    url.username = name
    url.password = name
    return postgres(url.href).open()
  }
  const owner = postgres(server.url).open()
  owner.saveGeneration("r", generation("s0", 0))
  afterAll(() => owner.close())

  it("are those of the page", () => {
    expect(grants).toHaveLength(3)
  })

  it("let a worker insert an answer with the attempts before it, and see what is answered", () => {
    const worker = as("worker")
    const [attempt] = generation("s1", 1).retries
    if (attempt) worker.saveAttempt("r", call("s1"), attempt)
    worker.saveGeneration("r", generation("s1", 1))
    expect([...worker.finished("r")].map(({ sampleId }) => sampleId)).toEqual(["s0", "s1"])
    expect([...worker.attempts("r")]).toEqual([])
    worker.close()
  })

  it("let a worker write the steps of an episode that has no answer yet, each in the place of the one before it", () => {
    const worker = as("worker")
    const step = (text: string) =>
      ({ kind: "user", turn: 0, text, isOver: false, outcome: "ok" }) as unknown as EpisodeStep
    worker.saveStep("episodes", call("s9"), 0, step("begun"))
    worker.saveStep("episodes", call("s9"), 0, step("done"))
    expect([...worker.steps("episodes")].map(({ number, step }) => [number, "text" in step && step.text])).toEqual([
      [0, "done"],
    ])
    worker.saveGeneration("episodes", { ...generation("s9", 9), episode: { steps: [], turns: 1 } })
    expect([...worker.steps("episodes")]).toEqual([])
    worker.close()
  })

  it("let a worker take slices and leases, but set no limit", () => {
    owner.setQuota("r", "usd", 5, 0)
    const worker = as("worker")
    const number = worker.registerWorker("r", "w", {})
    expect(worker.claim("r", 0, number, 5)).toBe(true)
    expect(worker.lease("r", { quota: "usd", worker: number }, 3, 1, 1)).toBe(true)
    expect(worker.lease("r", { quota: "usd", worker: number }, 3, 1, 2)).toBe(false)
    worker.reclaim("r", 0)
    worker.pause("r", "service", 1)
    expect(worker.reserveSlot("r", "requests", 1, 60)).toBe(0)
    expect(worker.addGeneration("r", generation("s0", 0), (answer) => answer)).toBe(false)
    expect(() => worker.setQuota("r", "usd", 100, 0)).toThrow(/the role may not do this in the store/)
    worker.releaseClaim("r", 0, number)
    worker.close()
  })

  it("let a worker score: rows, judges' calls and replies, embeddings, and who asks what", async () => {
    const worker = as("worker")
    const row = { ...call("s0"), metric: "n", value: 1, measured: { status: "scored", row: 1 } } as const
    worker.addRows("r", [row])
    worker.addRows("r", [{ ...row, value: 0 }])
    expect(worker.answerRows("r", "a", ["s0"])).toEqual([row])
    const paid = { variant: "a", purpose: "judge:j", key: "k", requests: 1, costUsd: 1, asideUsd: 1, tokens: 2 }
    worker.saveModelCall("r", { ...paid, seconds: 1, at: "" }, fakeAnswer("an answer"), "one")
    worker.saveModelCall("r", { ...paid, seconds: 1, at: "" }, fakeAnswer("an answer"), "one")
    worker.saveModelCall("r", { ...paid, seconds: 1, at: "" }, fakeAnswer("a second one"), "two")
    expect([...worker.modelCalls("r")]).toHaveLength(2)
    expect(worker.cachedAnswer("k")?.text).toBe("an answer")
    worker.forgetCachedAnswer("k")
    expect(worker.cachedAnswer("k")).toBeNull()
    await worker.cache.set("embedding", [1, 2])
    await worker.cache.set("embedding", [3])
    expect(await worker.cache.get("embedding")).toEqual([1, 2])
    const [first, second] = [worker.registerWorker("r", "x", {}), worker.registerWorker("r", "y", {})]
    expect([worker.claimQuestion("r", "k", first, 60), worker.claimQuestion("r", "k", second, 60)]).toEqual([
      true,
      false,
    ])
    worker.releaseQuestion("r", "k", first)
    expect(worker.claimQuestion("r", "k", second, 60)).toBe(true)
    worker.charge("r", { quota: "usd", worker: first }, 0.5, 1)
    expect([...worker.events("r")]).toEqual([])
    expect(worker.rowMaker("r", "n")).toBeNull()
    worker.close()
  })

  it("let a worker change nothing else", () => {
    const worker = as("worker")
    const forbidden: readonly (readonly [string, () => unknown])[] = [
      ["a run's end", () => worker.setStatus("r", "finished", null)],
      ["a run", () => worker.removeRun("r")],
      [
        "a score",
        () => worker.saveRows("r", [{ ...call("s0"), metric: "m", value: 1, measured: { status: "scored", row: 1 } }]),
      ],
      ["an event", () => worker.saveEvent("r", { at: "", kind: "k", data: {} })],
      ["a sample", () => worker.saveSamples("f", [], 0) ?? worker.saveMedia("f", "00", new Uint8Array(1))],
      ["the key of fingerprints", () => worker.fingerprintKey()],
      ["whose rows they are", () => worker.saveRowMaker("r", "n", "another's", false)],
      ["all scores", () => worker.clearRows("r")],
      ["labels", () => worker.labels("r")],
    ]
    for (const [what, act] of forbidden) expect(act, what).toThrow(/the role may not do this in the store/)
    expect([...owner.generations("r", "a")].map(({ text }) => text)).toEqual(["an answer", "an answer"])
    worker.close()
  })

  it("let a reader read, and an author make and remove runs", () => {
    const reader = as("reader")
    expect([...reader.generations("r", "a")]).toHaveLength(2)
    expect(() => reader.saveGeneration("r", generation("s2", 2))).toThrow(/the role may not do this/)
    reader.close()
    const author = as("author")
    author.saveGeneration("r", generation("s2", 2))
    author.saveEvent("r", { at: "2026-01-01T00:00:00.000Z", kind: "k", data: {} })
    author.removeRun("r")
    expect([...author.finished("r")]).toEqual([])
    author.close()
  })
})
