import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { languageMatch } from "../../../metrics/match/language-match.ts"
import { measure, scoreOf } from "../lexical-fixtures.ts"

const english = "The refund takes five working days, and we will write to you."
const german = "Die Rückerstattung dauert fünf Werktage, und wir melden uns bei Ihnen."
const hindi = "धनवापसी में पाँच कार्य दिवस लगते हैं और हम आपको लिखेंगे।"
const russian = "Возврат денег занимает пять рабочих дней, и мы вам напишем."
const chinese = "退款需要五个工作日，我们会写信给您。"
const japanese = "返金には五営業日かかります。ご連絡いたします。"

it.each([
  ["the same language", german, german, 1],
  ["another language of the script", german, english, 0],
  ["another script", english, chinese, 0],
  ["English in place of Chinese", chinese, english, 0],
  ["Chinese in place of Japanese", japanese, chinese, 0],
  ["a script of near languages", hindi, hindi, 1],
  ["English in place of Hindi", hindi, english, 0],
  ["a question too short for its language", "Возврат?", russian, 1],
  ["a language that changes on the way", german, `${german}\n\n${english}`, 0],
  ["code between fences", german, `${german}\n\`\`\`\nwhile the list is not empty do this\n\`\`\``, 1],
  ["a name in other letters", chinese, `OpenAI\n${chinese}`, 1],
  ["Japanese names without kana", japanese, `東京都\n${japanese}`, 1],
  ["decomposed letters", german.normalize("NFD"), german, 1],
])("measures %s", async (_, input, output, expected) => {
  expect(await scoreOf(languageMatch(), output, [], { input })).toBe(expected)
})

it.each([
  ["a short answer", german, "Berlin", /^language: the answer's/],
  ["an answer without letters", german, "42", /^language: the answer's/],
  ["a short question in Latin letters", "Berlin?", german, /^language: the question's/],
  ["no question", "", german, /^no_input/],
  ["no answer", german, " ", /^empty_output/],
])("is silent on %s", async (_, input, output, reason) => {
  expect(await scoreOf(languageMatch(), output, [], { input })).toMatch(reason)
})

it("takes the language that the metadata state", async () => {
  const input = `Translate into German: ${english}`
  const metric = languageMatch({ field: "target" })
  expect(await scoreOf(metric, german, [], { input, metadata: { target: "de-AT" } })).toBe(1)
  expect(await scoreOf(metric, english, [], { input, metadata: { target: "de" } })).toBe(0)
  expect(await scoreOf(metric, german, [], { input })).toBe("language: no metadata.target")
  expect(await scoreOf(metric, german, [], { input, metadata: { target: "German" } })).toMatch(
    "metadata.target is a text",
  )
})

it("counts the answers that are right in part", async () => {
  const measured = await measure(languageMatch(), `${english}\n${german}\n${german}`, [], { input: english })
  expect(measured).toEqual({ status: "scored", row: { wanted: "en", found: ["de", "en"] } })
  const row = { wanted: "en", found: ["de", "en"] }
  expect(languageMatch().summarise([{ row, sampleId: "s", repeat: 0 }])).toEqual({ value: 0, details: { mixed: 1 } })
})

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder)
  console.warn("languageMatch: ZeroEval's answers are NOT read: set EVALKIT_REFERENCE_DATA to the reference data")

it.skipIf(!folder)("takes English answers for English, formulas and code among them", async () => {
  const lines = readFileSync(join(folder as string, "zeroeval/math-l5.claude-3-haiku-20240307.jsonl"), "utf8")
  const scores = await Promise.all(
    lines
      .trim()
      .split("\n")
      .map((line) => scoreOf(languageMatch(), (JSON.parse(line) as { output: string }).output, [], { input: english })),
  )
  expect(scores.length - scores.filter((score) => score === 1).length).toBeLessThan(5)
})
