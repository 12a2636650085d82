import { describe, expect, it } from "vitest"
import { judgedAnswer, judgedSample } from "../../judges/anchors.ts"
import { bestOf } from "../../judges/best-of.ts"
import { checklist } from "../../judges/checklist.ts"
import { pairwise } from "../../judges/pairwise.ts"
import { referenceGuided } from "../../judges/reference-guided.ts"
import { helpfulness } from "../../judges/rubrics/helpfulness.ts"
import type { PanelRow } from "../../src/core/report/section-judge.ts"
import { fakeJudge, fakeTools, lastUserText, says } from "./support.ts"

const sample = judgedSample({ id: "s1", input: "Name a river.", references: ["The Elbe."] })
const answer = judgedAnswer("The Rhine.")
const rowOf = (measured: unknown) => (measured as { row: PanelRow }).row

/** What stands under "Answer A". */
const answerA = (text: string) => /Answer A:\n<<<\w+ begin>>>\n(.*)\n<<</.exec(text)?.[1]

describe("pairwise", () => {
  it("asks in both orders and counts a win only when both agree", async () => {
    const provider = fakeJudge((request) => says(answerA(lastUserText(request)) === "The Rhine." ? "A" : "B"))
    const measured = await pairwise({ provider, against: "reference" }).measure(sample, answer, fakeTools())
    expect(rowOf(measured)).toMatchObject({
      score: 1,
      members: [{ orders: [{ first: 1, second: 1 }], calls: 2, otherCharacters: 9 }],
    })
    expect(provider.requests.map((request) => answerA(lastUserText(request))).sort()).toEqual([
      "The Elbe.",
      "The Rhine.",
    ])
  })

  it("counts an inconsistent pair as a tie and keeps both orders for the card", async () => {
    const provider = fakeJudge(() => says("A"))
    const measured = await pairwise({ provider, against: "reference" }).measure(sample, answer, fakeTools())
    expect(rowOf(measured)).toMatchObject({ score: 0.5, members: [{ orders: [{ first: 1, second: 0 }] }] })
  })

  it("has no score unless both orders have a verdict", async () => {
    const provider = fakeJudge((request) =>
      answerA(lastUserText(request)) === "The Rhine." ? says("A") : "neither, really",
    )
    const measured = await pairwise({ provider, against: "reference" }).measure(sample, answer, fakeTools())
    expect(measured).toMatchObject({ status: "unscored", reason: expect.stringMatching(/^judge_unparseable/) })
  })

  it("compares with what another variant of the run answered, and not with itself", async () => {
    const provider = fakeJudge(() => says("tie"))
    const judge = pairwise({ provider, against: { variant: "base" } })
    const tools = fakeTools({ answerOf: (variant) => (variant === "base" ? "The Oder." : null) })
    expect(rowOf(await judge.measure(sample, answer, tools)).score).toBe(0.5)
    expect(await judge.measure(sample, { ...answer, variant: "base" }, tools)).toMatchObject({
      reason: "compared_with_itself",
    })
    expect(await judge.measure(sample, answer, fakeTools())).toMatchObject({ reason: "nothing_to_compare_with" })
  })
})

describe("bestOf", () => {
  it("rotates the places so that a judge that prefers the first place gives each answer the same share", async () => {
    const provider = fakeJudge(() => says("1"))
    const judge = bestOf({ provider, others: () => ["b", "c"] })
    const measured = await judge.measure(sample, answer, fakeTools())
    expect(provider.requests).toHaveLength(3)
    expect(rowOf(measured).score).toBeCloseTo(1 / 3, 12)
  })

  it("finds the answer that is chosen wherever it is in the text", async () => {
    const provider = fakeJudge((request) => {
      const match = [...lastUserText(request).matchAll(/Answer (\d):\n<<<\w+ begin>>>\n(.*)\n/g)].find(
        ([, , text]) => text === "The Rhine.",
      )
      return says(String(match?.[1]))
    })
    const measured = await bestOf({ provider, others: () => ["b", "c", "d"] }).measure(sample, answer, fakeTools())
    expect(rowOf(measured).score).toBe(1)
  })

  it("shows the answers in the same order for the same seed and another for another", async () => {
    const orders = await Promise.all(
      [42, 42, 1, 2, 3].map(async (seed) => {
        const provider = fakeJudge(() => says("1"))
        await bestOf({ provider, others: () => ["b", "c", "d"] }).measure(sample, answer, fakeTools({ seed }))
        return lastUserText(provider.requests[0]!).replaceAll(/[0-9a-f]{32}/g, "")
      }),
    )
    expect(orders[0]).toBe(orders[1])
    expect(new Set(orders).size).toBeGreaterThan(1)
  })
})

describe("checklist", () => {
  const items = ["Is it a river?", "Is it in Germany?", "Is it long?"]

  it("is the share of questions answered with yes, and lists what was missing", async () => {
    const provider = fakeJudge(() => '{"answers": ["yes", "no", true]}')
    const row = rowOf(await checklist({ provider, items }).measure(sample, answer, fakeTools()))
    expect(row.score).toBeCloseTo(2 / 3, 12)
    expect(row.members[0]?.reason).toBe("no: Is it in Germany?")
  })

  it("reads numbered lines too", async () => {
    const provider = fakeJudge(() => "1. yes\n2) Yes, it is\n3: no")
    expect(rowOf(await checklist({ provider, items }).measure(sample, answer, fakeTools())).score).toBeCloseTo(
      2 / 3,
      12,
    )
  })

  it("is unscored when a question is left out twice", async () => {
    const provider = fakeJudge(() => '{"answers": ["yes", "no"]}')
    expect(await checklist({ provider, items }).measure(sample, answer, fakeTools())).toMatchObject({
      status: "unscored",
      reason: expect.stringMatching(/^judge_unparseable/),
    })
    expect(provider.requests).toHaveLength(2)
  })

  it("takes its questions from the sample", async () => {
    const provider = fakeJudge(() => '{"answers": ["yes"]}')
    const judge = checklist({ provider, items: ({ id }) => (id === "s1" ? ["Is it s1?"] : []) })
    expect(rowOf(await judge.measure(sample, answer, fakeTools())).score).toBe(1)
    expect(await judge.measure(judgedSample({ id: "s2" }), answer, fakeTools())).toMatchObject({
      reason: "no_checklist",
    })
  })
})

describe("referenceGuided", () => {
  it("adds the reference to a rubric that does not ask for it, and leaves samples without one unscored", async () => {
    const provider = fakeJudge(() => says("4"))
    const judge = referenceGuided({ provider, rubric: helpfulness })
    expect(rowOf(await judge.measure(sample, answer, fakeTools())).score).toBe(4)
    expect(lastUserText(provider.requests[0]!)).toContain("The Elbe.")
    expect(await judge.measure(judgedSample({ id: "s", input: "?" }), answer, fakeTools())).toMatchObject({
      reason: "no_reference",
    })
  })
})

it("refuses a pair without the other answer, and a placeholder that nothing fills in", () => {
  const provider = fakeJudge(() => says("A"))
  expect(() => pairwise({ provider } as never)).toThrow(/nothing to compare with/)
  expect(() => pairwise({ provider, against: "reference", template: "{first} or {other}?" })).toThrow(/\{other\}/)
  expect(() => pairwise({ provider, against: "reference", instructions: "Which is about {{topic}}?" })).toThrow(/topic/)
})
