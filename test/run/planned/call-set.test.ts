import { describe, expect, it } from "vitest"
import { createCallSet } from "../../../src/run/planned/call-set.ts"
import { numberCalls } from "../../../src/run/planned/planned-calls.ts"

const variants = [{ name: "a" }, { name: "b" }, { name: "c" }]
const order = Array.from({ length: 7 }, (_, i) => `s${i}`)
const repeats = 2
const planOf = (ids: readonly string[]) => {
  const callsOf = numberCalls(variants, repeats, ids)
  return variants.flatMap(({ name }) => [...callsOf(name, 0, ids.length)])
}
const all = planOf(order)
const idOf = ({ variant, sampleId, repeat }: (typeof all)[number]) => `${variant} ${sampleId} ${repeat}`

describe("a set of calls", () => {
  it("has what was added, and nothing else", () => {
    const set = createCallSet({ variants, repeats, order })
    expect(all.filter((call) => set.has(call))).toEqual([])
    const some = all.filter((_, i) => i % 5 === 0)
    for (const call of some) set.add(call)
    expect(all.filter((call) => set.has(call))).toEqual(some)
  })

  it("knows a call by its sample where its number is of a shorter run, or of a version that numbered from 0", () => {
    for (const shift of [0, -order.length * repeats * variants.length]) {
      const set = createCallSet({ variants, repeats, order })
      const before = planOf(order.slice(0, 4)).filter((_, i) => i % 3 === 0)
      for (const call of before) set.add({ ...call, position: call.position + shift })
      expect(all.filter((call) => set.has(call)).map(idOf)).toEqual(before.map(idOf))
    }
  })

  it("takes in nothing that the plan does not have", () => {
    const set = createCallSet({ variants, repeats, order })
    const [call] = all
    for (const other of [{ variant: "d" }, { sampleId: "s9" }, { repeat: 2 }]) set.add({ ...call!, ...other })
    expect(all.filter((entry) => set.has(entry))).toEqual([])
  })

  it("is empty where there is nothing to ask", () => {
    const set = createCallSet({ variants, repeats, order: [] })
    set.add(all[0]!)
    expect(set.has(all[0]!)).toBe(false)
  })
})
