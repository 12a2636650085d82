import { describe, expect, it } from "vitest"
import { judgedAnswer, judgedSample } from "../../judges/anchors.ts"
import { type PanelOptions, panel } from "../../judges/panel.ts"
import { defineRubric } from "../../judges/rubric.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { correctness } from "../../judges/rubrics/correctness.ts"
import { gradeOneToFive } from "../../judges/rubrics/grade-1-to-5.ts"
import { unscoredCodes } from "../../src/core/metric/unscored-code.ts"
import type { PanelRow } from "../../src/core/report/section-judge.ts"
import { fakeAnswer } from "../support/fake-provider.ts"
import { fakeJudge, fakeTools, lastUserText, says } from "./support.ts"

const sample = judgedSample({ id: "s1", input: "?", references: ["r"] })
const answer = judgedAnswer("a")
const judge = (name: string, verdict: string) =>
  rubric({ provider: fakeJudge(() => (verdict === "" ? "?" : says(verdict)), name), rubric: gradeOneToFive })
const judged = async (verdicts: readonly string[], options: PanelOptions = {}) =>
  panel(
    verdicts.map((verdict, i) => judge(`j${i}`, verdict)),
    options,
  ).measure(sample, answer, fakeTools())
const scoreOf = async (verdicts: readonly string[], options: PanelOptions = {}) => {
  const measured = await judged(verdicts, options)
  return measured.status === "scored" ? measured.row.score : measured.reason
}

describe("panel", () => {
  it.each([
    ["mean", 8 / 3],
    ["median", 2],
    ["minimum", 1],
    ["majority", 8 / 3],
  ] as const)("takes the %s", async (aggregate, expected) => {
    expect(await scoreOf(["1", "2", "5"], { aggregate })).toBeCloseTo(expected, 12)
  })

  it("takes the choice that most judges named", async () => {
    expect(await scoreOf(["1", "5", "5"], { aggregate: "majority" })).toBe(5)
  })

  it("weights by agreement with people; a judge worse than chance has no weight", async () => {
    const trust = { j0: 0.8, j1: 0.2, j2: -0.5 }
    expect(await scoreOf(["5", "3", "1"], { aggregate: "weighted", trust })).toBeCloseTo((0.8 * 5 + 0.2 * 3) / 1, 12)
  })

  it("keeps every judge's verdict in the row", async () => {
    const measured = await judged(["1", "2", "5"])
    expect(measured).toMatchObject({
      row: {
        disagreement: 4,
        members: [
          { judge: "j0", score: 1 },
          { judge: "j1", score: 2 },
          { judge: "j2", score: 5 },
        ],
      },
    })
  })

  it("asks a stronger judge only where the others disagree", async () => {
    const strong = fakeJudge(() => says("4"), "strong")
    const escalateTo = rubric({ provider: strong, rubric: gradeOneToFive })
    const options = { aggregate: "escalate", escalateTo } as const
    expect(await scoreOf(["3", "3"], options)).toBe(3)
    expect(strong.requests).toHaveLength(0)
    const measured = await judged(["1", "5"], options)
    expect(measured).toMatchObject({ row: { score: 4, escalated: true, members: { length: 3 } } })
    expect(strong.requests).toHaveLength(1)
  })

  it("leaves out judges that fail, as long as more than half give a score", async () => {
    expect(await scoreOf(["4", "4", ""])).toBe(4)
    expect(await scoreOf(["4", "", ""])).toBe(
      `panel_quorum: 1 of 3 judges gave a score (${unscoredCodes.judge_unparseable})`,
    )
    expect(await scoreOf(["4", "", ""], { quorum: 1 })).toBe(4)
    expect(await scoreOf(["", ""])).toMatch(/^judge_unparseable/)
  })

  it("keeps what the services said where all judges fail alike, whatever the ids of their requests", async () => {
    const failing = (id: number, outcome: "http_4xx" | "http_5xx" = "http_4xx") =>
      rubric({
        provider: fakeJudge(() => fakeAnswer("", outcome, { failure: { message: `no key, request ${id}` } }), `f${id}`),
        rubric: gradeOneToFive,
        judge: `f${id}`,
      })
    const alike = await panel([failing(1), failing(2)]).measure(sample, answer, fakeTools())
    expect(alike).toMatchObject({ code: "judge_failed", reason: "judge_failed: http_4xx: no key, request 1" })
    const unlike = await panel([failing(1), failing(2, "http_5xx")]).measure(sample, answer, fakeTools())
    expect(unlike).toMatchObject({ code: "panel_quorum" })
  })

  it("keeps the judges' verdicts also where the panel has no score", async () => {
    const measured = await judged(["4", "", ""])
    expect(measured).toMatchObject({
      status: "unscored",
      details: { kind: "panel", score: null, members: { length: 3 } },
    })
  })

  it("drops a judge below the threshold of trust without asking it, and records that in every row", async () => {
    const measured = await judged(["5", "1", "5"], { trust: { j0: 0.9, j1: 0.1, j2: 0.7 }, dropBelow: 0.4 })
    expect(measured).toMatchObject({
      row: { score: 5, members: { length: 2 }, dropped: [{ judge: "j1", trust: 0.1, threshold: 0.4 }] },
    })
  })

  it("learns the trust from labelled answers, once", async () => {
    const good = fakeJudge((request) => says(lastUserText(request).includes("right") ? "yes" : "no"), "good")
    const bad = fakeJudge((request) => says(lastUserText(request).includes("right") ? "no" : "yes"), "bad")
    const words = defineRubric({ name: "r", instructions: "Judge.", choices: { yes: 1, no: 0 } })
    const anchors = ["right 1", "wrong 1", "right 2", "wrong 2"].map((text) => ({
      sample: {},
      answer: text,
      score: Number(text.startsWith("right")),
    }))
    const metric = panel([rubric({ provider: good, rubric: words }), rubric({ provider: bad, rubric: words })], {
      anchors,
      dropBelow: 0.5,
    })
    const tools = fakeTools()
    for (const text of ["right", "wrong"]) {
      const measured = await metric.measure(sample, judgedAnswer(text), tools)
      expect(measured).toMatchObject({
        row: { score: Number(text === "right"), dropped: [{ judge: "bad", trust: -1 }] },
      })
    }
    expect(good.requests).toHaveLength(anchors.length + 2)
    expect(bad.requests).toHaveLength(anchors.length)
  })

  it("judges the same drawn part of the samples for every variant", async () => {
    const metric = panel([judge("j", "3")], { share: 0.3 })
    const verdicts = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        metric.measure(judgedSample({ id: `s${i}`, input: "?" }), answer, fakeTools()),
      ),
    )
    const scored = verdicts.filter(({ status }) => status === "scored").length
    expect(scored).toBeGreaterThan(60)
    expect(scored).toBeLessThan(120)
    expect(verdicts.find(({ status }) => status === "unscored")).toMatchObject({ reason: "not_drawn" })
  })

  it("keeps the value of the metric that is taken as the truth", async () => {
    const metric = panel([judge("j", "3")], { truth: "exactMatch" })
    expect(metric.dependsOn).toEqual(["exactMatch"])
    const measured = await metric.measure(
      sample,
      answer,
      fakeTools({}, () => 1),
    )
    expect(measured).toMatchObject({ row: { truth: 1 } })
  })

  it("scores nothing 0 when half of its endpoints fail", async () => {
    const outcomes = ["timeout_total", "http_5xx", "rate_limited", "connection"] as const
    const down = outcomes.map((outcome) =>
      rubric({ provider: fakeJudge(() => fakeAnswer("", outcome), outcome), rubric: gradeOneToFive }),
    )
    const up = ["a", "b", "c", "d", "e"].map((name) => judge(name, "4"))
    expect(await panel([...down, ...up]).measure(sample, answer, fakeTools())).toMatchObject({ row: { score: 4 } })
    expect(await panel([...down, up[0]!]).measure(sample, answer, fakeTools())).toMatchObject({ status: "unscored" })
  })

  it("summarises by judge", async () => {
    const metric = panel([judge("a", "2"), judge("b", "4"), judge("c", "")])
    const measured = (await metric.measure(sample, answer, fakeTools())) as { row: PanelRow }
    const summary = metric.summarise([{ row: measured.row, sampleId: "s1", repeat: 0 }])
    expect(summary).toMatchObject({
      value: 3,
      details: {
        judges: [
          { judge: "a", mean: 2 },
          { judge: "b", mean: 4 },
          { judge: "c", scored: 0, mean: null },
        ],
      },
    })
  })

  it("refuses invalid panels, and says what to do", () => {
    const entry = judge("a", "1")
    expect(() => panel([])).toThrow(/needs a judge/)
    expect(() => panel([entry, entry])).toThrow(/same name/)
    expect(() => panel([entry, rubric({ provider: fakeJudge(() => "", "b"), rubric: correctness })])).toThrow(
      /different scales/,
    )
    expect(() => panel([entry], { aggregate: "escalate" })).toThrow(/need each other/)
    expect(() => panel([entry], { aggregate: "weighted" })).toThrow(/give trust/)
    expect(() => panel([entry], { quorum: 2 })).toThrow(/quorum/)
  })
})
