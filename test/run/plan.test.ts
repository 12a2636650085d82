import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Plan, plannedCalls, planRun, shardFilter } from "../../src/run/plan.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"

const provider = (name: string, lane?: string) =>
  fakeProvider(name, () => fakeAnswer("x"), lane === undefined ? {} : { lane })
const ids = (n: number) => Array.from({ length: n }, (_, i) => `s${i}`)
const allCalls = (plan: Plan) => [...plan.lanes.values()].flat().flatMap((phase) => [...phase.calls()])

describe("planRun", () => {
  const variants = [fakeVariant("a", provider("a", "machine")), fakeVariant("b", provider("b", "machine"))]
  const options = { variants, sampleIds: ids(10), datasetFingerprint: "d", repeats: 2, seed: 1, concurrency: 1 }

  it("plans every sample × variant × repeat exactly once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 3 }), (n, repeats) => {
        const plan = planRun({ ...options, sampleIds: ids(n), repeats })
        const calls = allCalls(plan)
        expect(calls).toHaveLength(n * repeats * 2)
        expect(plan.order).toHaveLength(n)
        expect(new Set(calls.map((call) => `${call.variant}/${call.sampleId}/${call.repeat}`)).size).toBe(calls.length)
        expect(new Set(calls.map((call) => call.position)).size).toBe(calls.length)
      }),
    )
  })

  it("cuts into shards that together are the whole plan", () => {
    const plan = planRun(options)
    const parts = [0, 1, 2].flatMap((index) => [...plannedCalls(plan, shardFilter({ index, count: 3 }))])
    expect(parts.sort((a, b) => a.position - b.position)).toEqual(
      [...plannedCalls(plan)].sort((a, b) => a.position - b.position),
    )
  })

  it("lets the variants of one lane alternate sample by sample where one request is in flight", () => {
    const phases = planRun({ ...options, sampleIds: ids(3) }).lanes.get("machine") ?? []
    expect(phases.map((phase) => phase.variant)).toEqual(["a", "b", "b", "a", "b", "a"])
    expect([...(phases[0]?.calls() ?? [])].map(({ order, repeat }) => [order, repeat])).toEqual([
      [0, 0],
      [0, 1],
    ])
  })

  it("lets the variants of one exclusive server take turns, and gives one that has its server for itself a single one", () => {
    const [server, alone] = [
      { ...provider("x"), exclusive: true },
      { ...provider("y"), exclusive: true },
    ]
    const local = [fakeVariant("a", server), fakeVariant("c", alone), fakeVariant("b", server)]
    const { lanes } = planRun({ ...options, variants: local, sampleIds: ids(3) })
    expect([...lanes.values()].flat().map(({ variant }) => variant)).toEqual(["a", "b", "b", "a", "b", "a", "c"])
  })

  it("gives many requests in flight turns that keep them busy, and a long run twenty", () => {
    const lengths = (n: number, concurrency: number) =>
      (planRun({ ...options, repeats: 1, sampleIds: ids(n), concurrency }).lanes.get("machine") ?? []).map(
        (phase) => [...phase.calls()].length,
      )
    expect(lengths(20, 4)).toEqual([8, 8, 8, 8, 4, 4])
    expect(lengths(1000, 4)).toHaveLength(40)
  })

  it("gives each call a place that does not depend on the turns", () => {
    const places = (concurrency: number) =>
      new Map(
        allCalls(planRun({ ...options, concurrency })).map((call) => [
          `${call.variant}/${call.sampleId}/${call.repeat}`,
          call.position,
        ]),
      )
    expect(places(8)).toEqual(places(1))
    expect(Math.min(...places(1).values())).toBe(10 * 2 * 2)
  })

  it("gives variants on different endpoints lanes of their own, cut into the same turns", () => {
    const plan = planRun({ ...options, variants: [fakeVariant("a", provider("x")), fakeVariant("b", provider("y"))] })
    expect([...plan.lanes.keys()]).toEqual(["x", "y"])
    expect(plan.lanes.get("x")).toHaveLength(plan.lanes.get("y")?.length as number)
  })

  it("starts an exclusive server only once", () => {
    const exclusive = fakeVariant(
      "big",
      fakeProvider("big", () => fakeAnswer("x"), { lane: "machine", exclusive: true }),
    )
    const phases = planRun({ ...options, variants: [...variants, exclusive] }).lanes.get("machine") ?? []
    expect(phases.filter((phase) => phase.variant === "big")).toHaveLength(1)
  })

  it("asks in the same order for the same seed and in another for another", () => {
    const order = (seed: number) => allCalls(planRun({ ...options, seed })).map((call) => call.sampleId)
    expect(order(1)).toEqual(order(1))
    expect(order(1)).not.toEqual(order(2))
  })

  it("changes its hash with everything that changes what is asked", () => {
    const hash = planRun(options).hash
    expect(planRun({ ...options, seed: 2 }).hash).not.toBe(hash)
    expect(planRun({ ...options, repeats: 1 }).hash).not.toBe(hash)
    expect(planRun({ ...options, datasetFingerprint: "e" }).hash).not.toBe(hash)
    const warmer = [fakeVariant("a", variants[0]!.provider, { parameters: { temperature: 1 } }), variants[1]!]
    expect(planRun({ ...options, variants: warmer }).hash).not.toBe(hash)
    const dearer = [
      fakeVariant("a", variants[0]!.provider, {
        price: { kind: "hourly", usdPerHour: 3, instances: 1, utilisation: 1, source: "test", date: "2026-01-01" },
      }),
      variants[1]!,
    ]
    expect(planRun({ ...options, variants: dearer }).hash).toBe(hash)
  })
})
