import { describe, expect, it } from "vitest"
import { variant } from "../../src/config/config.ts"
import { sweep } from "../../src/config/sweep.ts"
import { recorded } from "../../src/providers/recorded.ts"

const provider = recorded([])

describe("sweep", () => {
  it("makes a variant of every combination, the last axis fastest, each with its values and its own name", () => {
    const made = sweep({ effort: ["low", "high"], temperature: [0, 0.7] }, ({ effort, temperature }) =>
      variant({ name: "gpt", provider, parameters: { effort, temperature } }),
    )
    expect(made.map(({ name, parameters }) => [name, parameters])).toEqual([
      ["gpt-effort-low-temperature-0", { effort: "low", temperature: 0 }],
      ["gpt-effort-low-temperature-0.7", { effort: "low", temperature: 0.7 }],
      ["gpt-effort-high-temperature-0", { effort: "high", temperature: 0 }],
      ["gpt-effort-high-temperature-0.7", { effort: "high", temperature: 0.7 }],
    ])
  })

  it("names variants without a name by their provider, in letters that a name may have", () => {
    const [first] = sweep({ prompt: ["a / b"] }, () => ({ provider }))
    expect(first?.name).toBe("recorded-rows-prompt-a-b")
  })

  it("takes so many combinations of a large grid, the same by the same seed, and covers every value", () => {
    const axes = {
      slots: [1, 2, 4, 8, 16],
      batch: [256, 512, 1024, 2048],
      context: [4096, 8192, 16384],
      threads: [4, 8],
    }
    const names = (trials: number, seed?: number) =>
      sweep(axes, () => ({ provider }), { trials, ...(seed && { seed }) }).map(({ name }) => name ?? "")
    const drawn = names(12)
    expect([drawn.length, new Set(drawn).size]).toEqual([12, 12])
    expect([names(12), names(12, 2)]).toEqual([drawn, expect.not.arrayContaining(drawn)])
    for (const [axis, values] of Object.entries(axes))
      for (const value of values) expect(drawn.some((name) => `${name}-`.includes(`-${axis}-${value}-`))).toBe(true)
    expect(names(500)).toHaveLength(120)
    expect(() => sweep({ a: Array.from({ length: 300 }, (_, i) => i) }, () => ({ provider }), { trials: 0 })).toThrow(
      "whole number from 1",
    )
  })

  it.each([
    [{ effort: [] }, "has no values"],
    [{ effort: ["low", "low"] }, "a value twice"],
    [{ a: Array.from({ length: 201 }, (_, i) => i) }, "a sweep of 201 variants"],
  ])("refuses %j", (axes, message) => {
    expect(() => sweep(axes, () => ({ provider }))).toThrow(message)
  })
})
