import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dataset } from "../../datasets/dataset.ts"
import { toSample } from "../../datasets/to-sample.ts"
import type { JsonObject } from "../../src/core/json.ts"

const read = (row: JsonObject, mapping = {}) => {
  const result = toSample(row, 1, mapping)
  return "sample" in result ? result.sample : result
}

describe("turns of a conversation", () => {
  it("are read as MT-bench has them, with a reference for each turn", () => {
    const row = { question_id: 81, category: "math", turns: ["1+1?", "And 2+2?"], reference: ["2", "4"] }
    expect(read(row)).toMatchObject({
      id: "81",
      input: "1+1?",
      turns: [
        { content: "1+1?", references: ["2"] },
        { content: "And 2+2?", references: ["4"] },
      ],
      references: ["4"],
      metadata: { category: "math" },
    })
    expect(read({ ...row, reference: ["2", null] })).toMatchObject({ references: [] })
  })

  it("may have references of their own, and one beside them is that of the last", () => {
    expect(
      read({ id: "a", turns: [{ content: "Hi", references: ["Hello", "Hi"] }, "Bye"], reference: "See you" }),
    ).toMatchObject({
      input: "Hi",
      turns: [
        { content: "Hi", references: ["Hello", "Hi"] },
        { content: "Bye", references: ["See you"] },
      ],
      references: ["See you"],
    })
  })

  it("are a column like any other where they are no list, or where the input is named", () => {
    expect(read({ id: "a", input: "x", turns: 3 })).toMatchObject({ input: "x", metadata: { turns: 3 } })
    const named = read({ id: "a", turns: ["x", "y"] }, { input: (row: JsonObject) => (row.turns as string[])[0] })
    expect(named).toMatchObject({ input: "x", metadata: { turns: ["x", "y"] } })
    expect(named).not.toHaveProperty("turns")
  })

  it("are refused with what is wrong where they were asked for", () => {
    const mapping = { turns: "said" }
    expect(read({ id: "a", said: "x" }, mapping)).toEqual({
      field: "turns",
      reason: 'expected a list of turns, got "x"',
    })
    expect(read({ id: "a", said: [] }, mapping)).toMatchObject({ reason: "the list of turns is empty" })
    expect(read({ id: "a", said: [{ role: "user" }] }, mapping)).toMatchObject({
      reason: "expected a text as the content of turn 0, got null",
    })
  })

  const folder = process.env.EVALKIT_REFERENCE_DATA
  it.skipIf(!folder)("are those of all 80 questions of the published MT-bench", async () => {
    const counts = []
    for await (const { turns, input } of dataset(join(folder as string, "mt_bench.jsonl")).samples()) {
      expect(input).toBe(turns?.[0]?.content)
      counts.push(turns?.length)
    }
    expect(counts).toEqual(Array.from({ length: 80 }, () => 2))
  })
})
