import type { Token } from "node-llama-cpp"
import { describe, expect, it } from "vitest"
import { choosePlace } from "../../../../src/local-model/serve/sequences/choose-place.ts"

const tokens = (length: number, from = 0) => Array.from({ length }, (_, i) => (from + i) as Token)
const held = (...prompts: (Token[] | null)[]) => prompts.map((prompt) => ({ prompt }))
const rules = tokens(100)
const question = (n: number, length = 20) => tokens(length, 1000 * n)

describe("the place that a request gets", () => {
  it("is the one whose conversation it goes on with", () => {
    const free = held(null, [...rules, ...question(1)], [...rules, ...question(2)])
    expect(choosePlace(free, [...rules, ...question(1), ...question(3)])).toBe(1)
    expect(choosePlace(free, [...rules, ...question(2), ...question(3)])).toBe(2)
    expect(choosePlace(free, [...rules, ...question(2)])).toBe(2)
  })

  it("is the longest of several that it goes on with", () => {
    const free = held(rules, [...rules, ...question(1)], tokens(50))
    expect(choosePlace(free, [...rules, ...question(1), ...question(2)])).toBe(1)
  })

  it("is the same one for a last question that was written anew", () => {
    expect(choosePlace(held(null, [...rules, ...question(1, 8)]), [...rules, ...question(2, 30)])).toBe(1)
  })

  it("is the one that was unused for longest, where it only begins as another conversation does", () => {
    const free = held(question(8), [...rules, ...question(1)], [...rules, ...question(2)])
    expect(choosePlace(free, [...rules, ...question(3)])).toBe(0)
  })

  it("is one that nobody comes back to for a request that asks for no cache", () => {
    expect(choosePlace(held(null, rules), null)).toBe(0)
  })
})
