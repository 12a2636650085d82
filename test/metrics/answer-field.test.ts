import { expect, it } from "vitest"
import { answerField } from "../../metrics/answer-field.ts"
import { custom } from "../../metrics/custom.ts"
import { contains } from "../../metrics/match/contains.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { bleu } from "../../metrics/overlap/bleu.ts"
import { textMeasureOf } from "../../src/core/metric/text-measure.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "./lexical-fixtures.ts"

const exact = answerField(exactMatch(), { path: "answer" })

it("measures the field as if it were the answer, with a fence or words around the JSON", async () => {
  expect(await scoreOf(exact, '{"answer": "Paris", "why": "Lyon"}', ["Paris"])).toBe(1)
  expect(await scoreOf(exact, '```json\n{"answer": "Paris"}\n```', ["Paris"])).toBe(1)
  expect(await scoreOf(exact, 'I think {"answer": "Rome"}, no: {"answer": "Paris"}.', ["Paris"])).toBe(1)
  expect(await scoreOf(answerField(contains(), { path: "why" }), '{"answer": "Paris", "why": "Lyon"}', ["Paris"])).toBe(
    0,
  )
})

it("takes a path, and measures what is no text as its JSON", async () => {
  expect(await scoreOf(answerField(exactMatch(), { path: "a.b" }), '{"a": {"b": 42}}', ["42"])).toBe(1)
  const whole = answerField(exactMatch({ normalize: "none" }), { path: "a" })
  expect(await scoreOf(whole, '{"a": [1, 2]}', ["[1,2]"])).toBe(1)
})

it("measures an answer without the field as an empty one", async () => {
  for (const text of ["Paris", '{"other": "Paris"}', '{"answer": null}', "[1]", "", '{"answer": "Paris"'])
    expect(await scoreOf(exact, text, ["Paris"]), text).toBe(0)
})

it("reads another variant's answer by the same field", async () => {
  const same = custom({
    name: "same",
    direction: "higher",
    measure: (_sample, { text }, tools) => Number(tools.answerOf?.("b") === text),
  })
  const tools = { ...noTools, answerOf: () => '{"answer": "x", "n": 2}' }
  const result = await answerField(same, { path: "answer" }).measure(
    sampleOf([]),
    answerOf('{"answer":"x","n":1}'),
    tools,
  )
  expect(result).toEqual({ status: "scored", row: 1 })
})

it("is named and signed apart from the metric, and no thread or stored run takes it for that", () => {
  const field = answerField(bleu(), { path: "answer" })
  expect([field.name, field.signature.startsWith("answerField|path:answer|")]).toEqual(["bleu.answer", true])
  expect([field.recipe, textMeasureOf(exact), exact.direction]).toEqual([undefined, null, "higher"])
})
