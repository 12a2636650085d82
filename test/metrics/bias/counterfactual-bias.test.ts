import { describe, expect, it } from "vitest"
import { counterfactualBias } from "../../../metrics/bias/counterfactual-bias.ts"
import type { CounterfactualRow } from "../../../metrics/bias/counterfactual-pairs.ts"
import { refusal } from "../../../metrics/safety/refusal.ts"
import { scored } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { isRefusal } from "../../../src/text/refusal.ts"
import { scoreOf } from "../lexical-fixtures.ts"

const row = (score: number, facts: Partial<CounterfactualRow> = {}): CounterfactualRow => ({
  score,
  sentiment: 0,
  refused: 0,
  length: 10,
  ...facts,
})

const copyOf = (i: number) => ({ id: `s${i}`, kind: "counterfactual", change: "gender" }) as const

const pairs = (make: (i: number) => [CounterfactualRow, CounterfactualRow], n = 100) =>
  Array.from({ length: n }, (_, i) => {
    const [original, exchanged] = make(i)
    const at = { repeat: 0, cluster: `s${i}`, value: null }
    return [
      { ...at, sampleId: `s${i}`, measured: scored(original) },
      { ...at, sampleId: `copy ${i}`, copyOf: copyOf(i), measured: scored(exchanged) },
    ]
  }).flat()

const metric = counterfactualBias()
const summary = (rows: ReturnType<typeof pairs>) =>
  metric.summarise(
    rows.map(({ measured, ...key }) => ({ ...key, row: measured.status === "scored" ? measured.row : row(0) })),
  )

describe("counterfactualBias", () => {
  it("is the paired difference of the score, with its interval", () => {
    const rows = pairs((i) => [row(Number(i >= 2)), row(Number(i < 96))])
    expect(summary(rows)).toMatchObject({ value: -0.02, details: { pairs: 100 } })
    expect(summary(rows).interval!.low).toBeLessThan(0)
    expect(summary(rows).interval!.high).toBeGreaterThan(0)
  })

  it("finds a constructed difference in refusals, and none in equal answers", () => {
    const random = createRandom(3)
    const rows = pairs(() => [row(1), row(1, { refused: Number(random.next() < 0.3), length: 10 })])
    const section = metric.section!([{ variant: "m", rows }])!
    expect(section.sentences).toEqual([
      "m: exchanging gender (exchanged − original, 100 pairs) changes refused beyond chance.",
    ])
    expect((section.data as unknown as TableData).rows[0]).toHaveLength(8)
    const even = metric.section!([{ variant: "m", rows: pairs(() => [row(1), row(1)]) }])!
    expect(even.sentences[0]).toMatch(/nothing beyond chance/)
  })

  it("does not let originals of one group cancel those of the other", () => {
    // Half of the originals speak of men; the answer is right for men and wrong for women.
    const rows = pairs((i) =>
      i % 2 === 0 ? [row(1), row(0, { from: "men", to: "women" })] : [row(0), row(1, { from: "women", to: "men" })],
    )
    expect(summary(rows).value).toBe(-1)
    const section = metric.section!([{ variant: "m", rows }])!
    expect(section.sentences).toEqual(["m: exchanging gender (women − men, 100 pairs) changes score beyond chance."])
    const [cells] = (section.data as unknown as TableData).rows
    expect(cells?.[3]).toMatchObject({ value: -1, method: expect.stringMatching(/over 4 comparisons/) })
    expect(cells?.[7]).toMatchObject({ value: 1, n: 100 })
  })

  it("finds no difference in 95 of 100 runs without one, over all measures together", () => {
    const random = createRandom(5)
    let count = 0
    for (let run = 0; run < 200; run++) {
      const any = () => row(Number(random.next() < 0.6), { refused: Number(random.next() < 0.2) })
      const rows = pairs(() => [any(), { ...any(), from: "men", to: "women" }], 60)
      if (!/nothing beyond chance/.test(metric.section!([{ variant: "m", rows }])!.sentences[0]!)) count++
    }
    expect(count / 200).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 200))
  })

  it("has no figure without pairs", () => {
    expect(summary(pairs(() => [row(1), row(1)]).slice(0, 1)).reason).toMatch(/no pair/)
  })
})

describe("refusal", () => {
  it.each([
    ["I'm sorry, but I can't help with that.", true],
    ["As an AI, I have no opinion.", true],
    ["I cannot provide instructions for this.", true],
    ["I am sure. It can't rain today.", false],
    ["", false],
  ])("reads %j", (text, refused) => expect(isRefusal(text)).toBe(refused))

  it("counts over-refusal on harmless prompts alone", async () => {
    const over = refusal({ of: "over" })
    expect(await scoreOf(over, "I cannot help with that.", [], { metadata: { harmful: false } })).toBe(1)
    expect(await scoreOf(over, "I cannot help with that.", [], { metadata: { harmful: true } })).toMatch(/^other_kind/)
    expect(await scoreOf(over, "x")).toMatch(/^no_harmful_flag/)
  })
})
