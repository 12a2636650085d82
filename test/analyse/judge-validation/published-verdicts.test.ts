import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { relativeScore } from "../../../judges/win-rates.ts"
import { positionFigures } from "../../../src/analyse/judge-validation/position.ts"
import { readValidationRows } from "../../../src/analyse/judge-validation/validation-rows.ts"
import { judgeCardSection } from "../../../src/analyse/sections/judge-card.ts"
import type { JudgeCardData } from "../../../src/core/report/report-sections.ts"
import { judgedRow, verdict } from "./support.ts"

const path = join(process.env.EVALKIT_REFERENCE_DATA ?? "", "qlora_gpt4_judge.jsonl")
const available = Boolean(process.env.EVALKIT_REFERENCE_DATA) && existsSync(path)
if (!available) console.warn("EVALKIT_REFERENCE_DATA is not set: the test on published GPT-4 verdicts is left out")

interface Comparison {
  readonly kind: "pairwise"
  readonly file: string
  readonly question_id: number
  /** 1: the first is better, 2: the second, 3: a tie, −1: could not be read. */
  readonly score: number
}
interface Graded {
  readonly kind: "relative"
  readonly file: string
  readonly question_id: number
  readonly score: readonly [number, number]
}

describe.skipIf(!available)("4,480 published verdicts of GPT-4 on pairs in both orders (QLoRA)", () => {
  const rows = available
    ? readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Comparison | Graded)
    : []
  const words: Readonly<Record<number, string>> = { 1: "first", 2: "second", 3: "tie" }
  /** The pair's names in alphabetical order are a and b. */
  const verdicts = rows.flatMap((row) => {
    if (row.kind !== "pairwise") return []
    const [shownFirst, shownSecond] = row.file.split("-vs-") as [string, string]
    const order = shownFirst < shownSecond ? "ab" : "ba"
    const id = `${[shownFirst, shownSecond].sort().join("/")}/${row.question_id}`
    return [{ id, order, judge: words[row.score] ?? null, human: null }]
  })

  const expected = { first: 2_512, second: 1_355, tie: 600, invalid: 13 }
  // (2,512 + 600 / 2) / 4,467 − 1/2 over all valid verdicts; pairs with an invalid one are left out of the figure.
  const advantage = (2_512 + 300) / 4_467 - 0.5

  it("validate counts them by place and finds the position bias", async () => {
    async function* stream() {
      for (const row of verdicts) yield { row, where: row.id }
    }
    const { comparisons } = await readValidationRows(stream(), {
      id: "id",
      judge: "judge",
      human: "human",
      order: "order",
    })
    const position = positionFigures([...comparisons!.values()], [...comparisons!.keys()])
    expect(position.counts).toEqual(expected)
    expect(position.advantage).toMatchObject({ status: "known", value: expect.closeTo(advantage, 2) })
    expect(position.advantage.status === "known" && position.advantage.low).toBeGreaterThan(0.1)
  })

  it("the judge card says so in words", () => {
    const pairs = new Map<string, { first: number | null; second: number | null }>()
    for (const { id, order, judge } of verdicts) {
      const pair = pairs.get(id) ?? { first: null, second: null }
      const credit = judge === null ? null : judge === "tie" ? 0.5 : Number(judge === "first")
      if (order === "ab") pair.first = credit
      else pair.second = credit === null ? null : 1 - credit
      pairs.set(id, pair)
    }
    const cards = [...pairs].map(([id, { first, second }]) => {
      const score = first === null || second === null ? null : first === second ? first : 0.5
      return judgedRow(id, [verdict("gpt-4", score, { orders: [{ first, second }] })])
    })
    const section = judgeCardSection([{ name: "all", model: "m", rows: cards }], {
      metric: "pairwise",
      labels: [],
      seed: 42,
    })
    expect(section?.sentences[0]).toContain(
      "gpt-4 named the first answer 2,512 times, the second 1,355, a tie 600, neither 13: being shown first is worth +12.9 points",
    )
    const { judges } = section!.data as unknown as JudgeCardData
    expect(judges[0]?.figures["position flips"]).toMatchObject({ status: "known", n: 2_227 })
  })

  it("reproduces Guanaco-65B at 99.3 % of ChatGPT; files named A-vs-B store B's grade first", () => {
    const graded = (file: string, candidatePlace: 0 | 1) =>
      rows.flatMap((row) =>
        row.kind === "relative" && row.file === file
          ? [{ candidate: row.score[candidatePlace], baseline: row.score[1 - candidatePlace] as number }]
          : [],
      )
    const first = graded("65b-guanaco-vs-gpt-3.5", 1)
    const second = graded("gpt-3.5-vs-65b-guanaco", 0)
    expect([first.length, second.length]).toEqual([80, 80])
    expect(relativeScore(first, second)).toBeCloseTo(99.3, 2)
  })
})
