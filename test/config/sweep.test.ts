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

  it.each([
    [{ effort: [] }, "has no values"],
    [{ effort: ["low", "low"] }, "a value twice"],
    [{ a: Array.from({ length: 201 }, (_, i) => i) }, "a sweep of 201 variants"],
  ])("refuses %j", (axes, message) => {
    expect(() => sweep(axes, () => ({ provider }))).toThrow(message)
  })
})
