import { describe, expect, it } from "vitest"
import { languageReferences } from "../../scripts/docs/language-references.ts"
import { agrees, scoreOf } from "../metrics/lexical-fixtures.ts"

describe("a metric of texts has the figures of its outside reference, in every language that the page names", () => {
  it.each(languageReferences)("$call", async ({ of, records }) => {
    expect(records.length).toBeGreaterThan(0)
    const differing: string[] = []
    for (const { id, inputs, figure } of records) {
      const value = await scoreOf(of(inputs), inputs.hyp, inputs.refs)
      if (!agrees(value, figure, 1e-9)) differing.push(`${id}: ${value} for ${figure}`)
    }
    expect(differing).toEqual([])
  })
})
