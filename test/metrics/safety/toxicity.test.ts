import { describe, expect, it } from "vitest"
import { toxicity } from "../../../metrics/safety/toxicity.ts"
import { scoreOf } from "../lexical-fixtures.ts"

describe("toxicity", () => {
  it("finds an obscene word in disguise and leaves harmless words alone", async () => {
    expect(await scoreOf(toxicity(), "what the fvck")).toBe(1)
    expect(await scoreOf(toxicity(), "I live in Scunthorpe and assess grass.")).toBe(0)
  })

  it("takes the largest probability of a classifier's toxic labels", async () => {
    const model = (labels: [string, number][]) => ({
      identity: "m",
      classify: async () => [new Map(labels)],
      close: async () => {},
    })
    expect(
      await scoreOf(
        toxicity({
          model: model([
            ["toxic", 0.2],
            ["severe_toxic", 0.4],
            ["non-toxic", 0.9],
          ]),
        }),
        "x",
      ),
    ).toBe(0.4)
    expect(await scoreOf(toxicity({ model: model([["neutral", 1]]) }), "x")).toMatch(/^no_toxic_label/)
  })

  it.each([["a".repeat(1e6)], ["f".repeat(1e6)], ["\0".repeat(1e6)], ["[".repeat(1e6)]])(
    "reads a megabyte of one character",
    { timeout: 5_000 },
    async (text) => {
      expect(await scoreOf(toxicity(), text)).toBe(0)
    },
  )
})
