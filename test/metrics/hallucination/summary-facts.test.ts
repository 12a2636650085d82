import { describe, expect, it } from "vitest"
import { summaryFacts } from "../../../metrics/hallucination/summary-facts.ts"
import { measure, scoreOf } from "../lexical-fixtures.ts"

const about = {
  metadata: { keyFacts: ["The poet Ada was born in 1815", "She lived in London"] },
  context: ["Ada, a poet, was born in 1815 and lived in London."],
}

describe("summaryFacts", () => {
  it("is the share of key facts that are covered and not contradicted", async () => {
    expect(await scoreOf(summaryFacts(), "The poet Ada was born in 1815.", [], about)).toBe(0.5)
    expect(await scoreOf(summaryFacts(), "The poet Ada was born in 1815 and lived in London.", [], about)).toBe(1)
    expect(await measure(summaryFacts(), "The poet Ada was born in 1852.", [], about)).toMatchObject({
      row: { coverage: 0, contradicted: 1, invented: 1 },
    })
    expect(await scoreOf(summaryFacts(), "x")).toMatch(/^no_key_facts/)
  })
})
