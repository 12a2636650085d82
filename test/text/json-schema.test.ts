import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { jsonMatch } from "../../metrics/match/json-match.ts"
import { toolCorrectness } from "../../metrics/tools/tool-correctness.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import { compileSchema } from "../../src/text/json-schema.ts"
import { answerOf, noTools, sampleOf } from "../metrics/lexical-fixtures.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"

const holds = async (schema: JsonObject, value: JsonValue) =>
  (await compileSchema(schema, { where: "test", formats: "checked" }))(value)

const drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"]
const newest = "https://json-schema.org/draft/2020-12/schema"

describe("a JSON schema", () => {
  it("is read by the draft that it states, else as 2020-12", async () => {
    const pair = { prefixItems: [{ type: "number" }], items: false }
    for (const stated of [{}, { $schema: newest }] as JsonObject[])
      expect([await holds({ ...stated, ...pair }, [1]), await holds({ ...stated, ...pair }, [1, 2])]).toEqual([
        true,
        false,
      ])
    for (const $schema of drafts)
      expect(await holds({ $schema, items: [{ type: "number" }], additionalItems: false }, [1, 2])).toBe(false)
    // A list of schemas under `items` is of older drafts alone.
    expect(await holds({ items: [{ type: "number" }], additionalItems: false }, [1, 2])).toBe(false)
  })

  it.each([
    ["date", "2026-11-28", "28.11.2026"],
    ["email", "a@example.org", "a at example"],
    ["uri", "https://example.org", "example"],
  ])("checks the format %s", async (format, right, wrong) => {
    const schema = { type: "string", format }
    expect([await holds(schema, right), await holds(schema, wrong)]).toEqual([true, false])
  })

  it.each([
    ["a format that nobody knows", { type: "string", format: "postcode" }, /unknown format "postcode"/],
    ["a type that is none", { type: "text" }, /type/],
    [
      "a dialect that is not known",
      { $schema: "https://example.org/my-schema" },
      /dialect https:\/\/example.org\/my-schema is not known/,
    ],
  ])("is refused before the first answer is asked for: %s", async (_, schema, words) => {
    const tool = { name: "find", description: "", parameters: schema }
    const metrics = [jsonMatch({ schema }), toolCorrectness({ arguments: "schema", tools: [tool] })] as AnyMetric[]
    for (const metric of metrics) {
      const provider = fakeProvider("a", () => fakeAnswer("{}"))
      const dataset = inline([{ id: "1", input: "x" }])
      const config = validateConfig({ dataset, variants: [{ name: "a", provider }], metrics: [metric] })
      await expect(config).rejects.toThrow(words)
      expect(provider.requests).toHaveLength(0)
    }
  })

  it("gives the arguments that a sample expects the types that the tool states", async () => {
    const tools = [
      {
        name: "find",
        description: "",
        parameters: { properties: { n: { type: "integer" }, note: { type: "string" } } },
      },
    ]
    const correct = async (options: Parameters<typeof toolCorrectness>[0], n: JsonValue) => {
      const sample = sampleOf([], { expectedTools: [{ name: "find", arguments: { n: "5" } }] })
      const answer = { ...answerOf(""), toolCalls: [{ name: "find", arguments: { n } }] }
      const measured = await toolCorrectness(options).measure(sample, answer, noTools)
      return measured.status === "scored" && measured.row.correct
    }
    const none = sampleOf([], { expectedTools: [{ name: "find", arguments: { note: null } }] })
    const made = { ...answerOf(""), toolCalls: [{ name: "find", arguments: { note: null } }] }
    expect(await toolCorrectness({ tools }).measure(none, made, noTools)).toMatchObject({ row: { correct: 1 } })
    expect([await correct({ tools }, 5), await correct({ tools }, "5"), await correct({}, 5)]).toEqual([1, 0, 0])
  })
})
