import { describe, expect, it } from "vitest"
import { assertions } from "../../src/config/assertions/assertions.ts"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { asksJudge } from "../../src/core/metric/asks-judge.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import { fakeJudge, fakeTools, says } from "../judges/support.ts"
import { answerOf, noTools, sampleOf } from "../metrics/lexical-fixtures.ts"

/** Whether an assertion of one type holds of an answer: 1 or 0, or why that is not known. */
async function held(assertion: JsonObject, text: string, functions = {}): Promise<number | string> {
  const type = String(assertion.type)
  const [, metric] = assertions({ metrics: { own: [type] }, functions })
  const sample = sampleOf([], { metadata: { vars: { most: 3 }, assert: [{ metric: "own", ...assertion }] } })
  const result = await metric?.measure(sample, answerOf(text), noTools)
  return result?.status === "scored" ? (result.row as number) : String(result?.reason)
}

/** A value, an answer of which the type holds, and one of which it does not. */
const cases: readonly (readonly [type: string, facts: JsonObject, holds: string, fails: string])[] = [
  ["equals", { value: "Paris" }, "Paris", "paris"],
  ["equals", { value: { a: 1, b: [2] } }, '{"b": [2], "a": 1}', '{"a": 1}'],
  ["contains", { value: "Paris" }, "in Paris.", "in paris."],
  ["icontains", { value: "Paris" }, "in paris.", "in Lyon."],
  ["contains-any", { value: ["a", "b"] }, "b", "A"],
  ["contains-all", { value: ["a", "b"] }, "ab", "a"],
  ["icontains-any", { value: ["a", "b"] }, "B", "c"],
  ["icontains-all", { value: ["a", "b"] }, "AB", "A"],
  ["starts-with", { value: "Yes" }, "Yes, but", "Oh yes"],
  ["regex", { value: "^\\d+$" }, "42", "42nd"],
  ["is-json", {}, '{"a": 1}', 'Here: {"a": 1}'],
  ["is-json", { value: { type: "object", required: ["a"] } }, '{"a": 1}', '{"b": 1}'],
  ["contains-json", {}, 'Here: {"a": 1}', "none"],
  ["contains-json", { value: { type: "object", required: ["a"] } }, 'Here: {"a": 1}', 'Here: {"b": 1}'],
  ["is-refusal", {}, "I'm sorry, but I can't help with that.", "With pleasure."],
  ["rouge-n", { value: "a cat sat", threshold: 0.9 }, "a cat sat", "the dog"],
  ["bleu", { value: "a cat sat on the mat", threshold: 0.9 }, "a cat sat on the mat", "the dog is here now"],
  ["levenshtein", { value: "kitten", threshold: 3 }, "sitting", "something"],
  ["word-count", { value: 2 }, "two words", "one"],
  ["word-count", { value: { min: 2, max: 3 } }, "three short words", "these are four words"],
]

describe("assertions", () => {
  it.each(cases)("%s of %j holds of %j and not of %j", async (type, facts, holds, fails) => {
    expect(await held({ type, ...facts }, holds)).toBe(1)
    expect(await held({ type, ...facts }, fails)).toBe(0)
    expect(await held({ type, ...facts, not: true }, fails)).toBe(1)
  })

  it("call functions with the test's variables and the assertion's config, behind its transforms", async () => {
    const functions = {
      short: (output: unknown, { vars, config }: { vars: JsonObject; config: JsonValue }) =>
        String(output).length <= Number(vars.most) + Number(config ?? 0),
      field: (output: unknown) => JSON.parse(String(output)).answer,
      score: () => ({ score: 0.4 }),
      none: () => "yes",
    }
    expect(await held({ type: "javascript", code: "short" }, "abcd", functions)).toBe(0)
    expect(await held({ type: "javascript", code: "short", config: 1 }, "abcd", functions)).toBe(1)
    expect(await held({ type: "equals", value: "x", transforms: ["field"] }, '{"answer": "x"}', functions)).toBe(1)
    expect(await held({ type: "javascript", code: "score", threshold: 0.5 }, "", functions)).toBe(0)
    expect(await held({ type: "javascript", code: "none" }, "", functions)).toMatch(/gives no verdict/)
    await expect(held({ type: "javascript", code: "absent" }, "", functions)).rejects.toThrow(/no function absent/)
  })

  it("say what was not timed and has no price, instead of a verdict", async () => {
    expect(await held({ type: "latency", threshold: 5 }, "a")).toMatch(/not timed/)
    expect(await held({ type: "cost", threshold: 5 }, "a")).toMatch(/cost is not known/)
    expect(await held({ metric: "another", type: "contains", value: "a" }, "a")).toMatch(/asserts nothing of it/)
  })

  it("weigh what a test asserts, and `pass` asks whether all of it holds or its threshold is reached", async () => {
    const [pass, first, second] = assertions({ metrics: { one: ["contains"], two: ["contains"] } })
    const assert: JsonValue = [
      { metric: "one", type: "contains", value: "a", weight: 3 },
      { metric: "one", type: "contains", value: "z", weight: 0 },
      { metric: "two", type: "contains", value: "z" },
    ]
    const valuesOf = async (metadata: JsonObject) => {
      const sample = sampleOf([], { metadata })
      const values = new Map<string, number | null>()
      for (const metric of [first, second]) {
        const result = await metric?.measure(sample, answerOf("a"), noTools)
        if (metric && result?.status === "scored") values.set(metric.name, metric.value(result.row))
      }
      const tools = { ...noTools, valueOf: (name: string) => values.get(name) }
      return [...values.values(), await pass?.measure(sample, answerOf("a"), tools)]
    }
    expect(await valuesOf({ assert })).toEqual([1, 0, { status: "scored", row: 0 }])
    expect(await valuesOf({ assert, threshold: 0.75 })).toEqual([1, 0, { status: "scored", row: 1 }])
  })

  it("refuse types that are not known, a judge that is missing, and a metric of the name that is theirs", () => {
    expect(() => assertions({ metrics: { a: ["contain"] } })).toThrow(/no assertion "contain"/)
    expect(() => assertions({ metrics: { a: ["llm-rubric"] } })).toThrow(/need one/)
    expect(() => assertions({ metrics: { pass: ["contains"] } })).toThrow(/all assertions together/)
  })

  it("keep what the judge said where it is all that a metric has of an answer", async () => {
    const grader = fakeJudge(() => says("yes"))
    const [pass, polite, both] = assertions({
      metrics: { polite: ["llm-rubric"], both: ["llm-rubric", "contains"] },
      grader,
    })
    const assert = ["polite", "both"].flatMap((metric) => [{ metric, type: "llm-rubric", value: "polite" }])
    const rowOf = (metric: AnyMetric | undefined, more: JsonValue[]) =>
      metric?.measure(sampleOf([], { metadata: { assert: [...assert, ...more] } }), answerOf("a"), fakeTools())
    expect(asksJudge({ signature: polite?.signature ?? "" })).toBe(true)
    expect(asksJudge({ signature: pass?.signature ?? "" })).toBe(false)
    const result = await rowOf(polite, [])
    expect(result).toMatchObject({ status: "scored", row: { kind: "panel", score: 1, members: [{ choice: 1 }] } })
    expect(result?.status === "scored" && polite?.value(result.row)).toBe(1)
    expect(await rowOf(both, [{ metric: "both", type: "contains", value: "absent" }])).toEqual({
      status: "scored",
      row: 0.5,
    })
  })

  it("state the calls of the judge by sample", () => {
    const grader = fakeJudge(() => says("yes"))
    const [, judged] = assertions({ metrics: { own: ["g-eval", "contains"] }, grader })
    const sample = (assert: JsonValue) => sampleOf([], { metadata: { assert } })
    expect(judged?.asksAbout?.(sample([{ metric: "own", type: "g-eval", value: ["a", "b"] }]))).toHaveLength(2)
    expect(judged?.asksAbout?.(sample([{ metric: "own", type: "contains", value: "a" }]))).toHaveLength(0)
  })
})
