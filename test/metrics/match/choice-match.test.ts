import { expect, it } from "vitest"
import { type ChoiceRow, choiceMatch } from "../../../metrics/match/choice-match.ts"
import type { MetricRow, RowEntry } from "../../../src/core/metric/metric.ts"
import { unscored } from "../../../src/core/metric/metric.ts"
import type { Figure } from "../../../src/core/report/figure.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"

const colours = { choices: ["red", "blue", "dark green"] }

it.each([
  "B",
  "b",
  "B.",
  "(B)",
  " B) blue",
  "**B**",
  "Blue",
  "blue.",
  "The answer is B.",
  "The answer is (b), because A is wrong.",
  "Answer: **B**",
  "The final answer is \\boxed{B}",
  "A is tempting. C is odd. So the answer is B",
  "I would say (B).",
  "It must be blue, of course.",
  "Option B",
  "the correct option is B: blue",
])("reads the chosen option: %s", async (output) => {
  expect(await scoreOf(choiceMatch(), output, ["B"], colours)).toBe(1)
  expect(await scoreOf(choiceMatch(), output, ["blue"], colours)).toBe(1)
  expect(await scoreOf(choiceMatch(), output, ["A"], colours)).toBe(0)
})

it.each(["", "I do not know", "A dog ran away", "red or blue", "Z", "我不知道"])(
  "does not guess where nothing was chosen: %s",
  async (output) => {
    expect(await scoreOf(choiceMatch({ unanswered: "unscored" }), output, ["B"], colours)).toMatch(/^unread/)
    expect(await scoreOf(choiceMatch({ unanswered: "guess" }), output, ["B"], colours)).toBe(1 / 3)
    expect(await scoreOf(choiceMatch(), output, ["B"], colours)).toBe(0)
  },
)

it("reads letters where the choices are not given", async () => {
  expect(await scoreOf(choiceMatch(), "Answer: J", ["J"])).toBe(1)
})

it("leaves a sample unscored whose reference is not an option", async () => {
  expect(await scoreOf(choiceMatch(), "A", ["D"], colours)).toMatch(/^no_choice/)
  expect(await scoreOf(choiceMatch(), "A", [], colours)).toMatch(/^no_reference/)
})

it("reads hostile texts in linear time", async () => {
  for (const piece of ["answer is ", "(", "option option ", "answer:::: ", " * "])
    expect(await scoreOf(choiceMatch(), piece.repeat(100_000), ["B"], colours)).toBe(0)
})

/** 100 answers: 50 right, 20 wrong, 30 that cannot be read. */
async function hundred(metric: ReturnType<typeof choiceMatch>): Promise<MetricRow[]> {
  const outputs = Array.from({ length: 100 }, (_, i) => (i < 50 ? "B" : i < 70 ? "A" : "I do not know"))
  return Promise.all(
    outputs.map(async (output, i) => {
      const measured = await metric.measure(sampleOf(["B"], colours), answerOf(output), noTools)
      return { sampleId: `s${i}`, repeat: 0, measured, value: null }
    }),
  )
}

it("shows every rule for unread answers and both bounds, whatever the rule in force", async () => {
  for (const [unanswered, expected] of [
    ["wrong", 0.5],
    ["guess", 0.6],
    ["unscored", 50 / 70],
  ] as const) {
    const metric = choiceMatch({ unanswered })
    const rows = await hundred(metric)
    const entries = rows.flatMap(({ sampleId, measured }): RowEntry<ChoiceRow>[] =>
      measured.status === "scored" ? [{ sampleId, repeat: 0, row: measured.row as ChoiceRow }] : [],
    )
    expect(metric.summarise(entries).value).toBeCloseTo(expected, 12)
    const section = metric.section!([{ variant: "m", rows }])!
    const [name, answers, unread, ...scores] = (section.data as unknown as TableData).rows[0]!
    expect([name, answers, unread]).toEqual(["m", 100, 30])
    const [asWrong, atChance, excluded, asRight] = scores.map((score) => figureValue(score as Figure))
    expect([asWrong, asRight]).toEqual([0.5, 0.8])
    expect(atChance).toBeCloseTo(0.6, 12)
    expect(excluded).toBeCloseTo(50 / 70, 12)
    expect(section.caution).toMatch(/between 50 and 80 points/)
  }
  expect(choiceMatch().summarise([]).value).toBeNull()
})

it("counts failed calls as unread, and has no section where everything was read", async () => {
  const metric = choiceMatch()
  const failed: MetricRow = {
    sampleId: "x",
    repeat: 0,
    measured: unscored("failed", "timeout_total"),
    value: null,
  }
  const read = (await hundred(metric)).slice(0, 70)
  expect(metric.section!([{ variant: "m", rows: read }])).toBeNull()
  const { rows } = metric.section!([{ variant: "m", rows: [...read, failed] }])!.data as unknown as TableData
  expect(rows[0]!.slice(0, 3)).toEqual(["m", 71, 1])
})

it.each([
  ["all", "The answer is A and C.", 1],
  ["all", "The answer is A.", 0],
  ["any", "The answer is A.", 1],
  ["any", "The answer is A and B.", 0],
  ["f1", "The answer is A.", 2 / 3],
] as const)("counts several right options as its rule says: %s, %s", async (several, output, value) => {
  expect(await scoreOf(choiceMatch({ several }), output, ["A, C"], { choices: ["1", "2", "3", "4"] })).toBeCloseTo(
    value,
  )
})

it("takes an option whose text looks like a letter by its letter", async () => {
  const swapped = { choices: ["B", "A"] }
  expect(await scoreOf(choiceMatch(), "The answer is B.", ["B"], swapped)).toBe(1)
  expect(await scoreOf(choiceMatch(), "The answer is A.", ["B"], swapped)).toBe(0)
})
