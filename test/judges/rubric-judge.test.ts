import { describe, expect, it } from "vitest"
import { judgedAnswer, judgedSample } from "../../judges/anchors.ts"
import { defineRubric } from "../../judges/rubric.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { correctness } from "../../judges/rubrics/correctness.ts"
import { gradeOneToFive } from "../../judges/rubrics/grade-1-to-5.ts"
import { tinyJudge } from "../../judges/rubrics/tiny-judge.ts"
import type { PanelRow } from "../../src/core/report/section-judge.ts"
import { fakeAnswer } from "../support/fake-provider.ts"
import { fakeJudge, fakeTools, lastUserText, says } from "./support.ts"

const sample = judgedSample({ id: "s1", input: "What is six times seven?", references: ["42"] })
const answer = judgedAnswer("It is 42.")

const rowOf = (measured: unknown) => (measured as { row: PanelRow }).row

describe("rubric", () => {
  it("scores by the choice that the judge named and keeps its reason", async () => {
    const provider = fakeJudge(() => says("partly", "only half"))
    const judge = rubric({ provider, rubric: correctness })
    const measured = await judge.measure(sample, answer, fakeTools())
    expect(rowOf(measured)).toMatchObject({
      score: 0.5,
      members: [{ status: "scored", choice: 0.5, reason: "only half", calls: 1 }],
    })
    expect(judge.value(rowOf(measured))).toBe(0.5)
  })

  it("asks at temperature 0 for the rubric's JSON", async () => {
    const provider = fakeJudge(() => says("yes"))
    await rubric({ provider, rubric: correctness }).measure(sample, answer, fakeTools())
    expect(provider.requests[0]?.parameters).toMatchObject({ temperature: 0, jsonSchema: { name: "verdict" } })
  })

  it("keeps answers out of the system message, fences them, and repeats the instructions after them", async () => {
    const provider = fakeJudge(() => says("yes"))
    await rubric({ provider, rubric: correctness }).measure(sample, judgedAnswer("SECRET-WORD"), fakeTools())
    const [request] = provider.requests
    const system = request?.messages.find(({ role }) => role === "system")?.content ?? ""
    const user = lastUserText(request!)
    expect(system).not.toContain("SECRET-WORD")
    const [, mark] = /carry the mark ([0-9a-f]{32})/.exec(user) ?? []
    expect(user).toMatch(new RegExp(`<<<${mark} begin>>>\\nSECRET-WORD\\n<<<${mark} end>>>`))
    expect(user.lastIndexOf(correctness.instructions)).toBeGreaterThan(user.lastIndexOf("SECRET-WORD"))
  })

  it("bounds what the judge sees", async () => {
    const provider = fakeJudge(() => says("yes"))
    await rubric({ provider, rubric: correctness, maxCharacters: 50 }).measure(
      sample,
      judgedAnswer("x".repeat(1e6)),
      fakeTools(),
    )
    expect(lastUserText(provider.requests[0]!).length).toBeLessThan(4_000)
  })

  it("asks once more when a reply cannot be read, and records that in the row", async () => {
    const provider = fakeJudge((_request, call) => (call === 0 ? "hm, good I guess" : says("yes")))
    const measured = await rubric({ provider, rubric: correctness }).measure(sample, answer, fakeTools())
    expect(rowOf(measured)).toMatchObject({ score: 1, members: [{ calls: 2, repaired: 1, failed: 0 }] })
    expect(lastUserText(provider.requests[1]!)).toContain("could not be read (it names none of: no, partly, yes)")
  })

  it("is unscored, never 0, when the repair cannot be read either", async () => {
    const provider = fakeJudge(() => "who knows")
    const measured = await rubric({ provider, rubric: correctness }).measure(sample, answer, fakeTools())
    expect(measured).toMatchObject({
      status: "unscored",
      reason: "judge_unparseable: it names none of: no, partly, yes",
      details: { score: null, members: [{ calls: 2, failed: 1 }] },
    })
    expect(provider.requests).toHaveLength(2)
  })

  it("is unscored with the class of the failure, and what the service said, when no answer came", async () => {
    const said = (message: string) => fakeAnswer("", "timeout_total", { failure: { message } })
    for (const [message, reason] of [
      ["", "judge_failed: timeout_total"],
      ["no whole answer\n within 1 s", "judge_failed: timeout_total: no whole answer within 1 s"],
      ["x".repeat(5000), `judge_failed: timeout_total: ${"x".repeat(200)}`],
    ]) {
      const timeout = rubric({ provider: fakeJudge(() => said(message ?? "")), rubric: correctness })
      expect(await timeout.measure(sample, answer, fakeTools())).toMatchObject({ reason })
    }
    const refusal = rubric({ provider: fakeJudge(() => fakeAnswer("I cannot", "refused")), rubric: correctness })
    expect(await refusal.measure(sample, answer, fakeTools())).toMatchObject({ reason: "judge_refused" })
  })

  it("names the field that a sample lacks without asking a judge", async () => {
    const provider = fakeJudge(() => says("yes"))
    const measured = await rubric({ provider, rubric: correctness }).measure(
      judgedSample({ id: "s" }),
      answer,
      fakeTools(),
    )
    expect(measured).toMatchObject({ status: "unscored", reason: "no_reference" })
    expect(provider.requests).toHaveLength(0)
  })

  it("lets the judge abstain when it may", async () => {
    const provider = fakeJudge(() => says("cannot tell"))
    const measured = await rubric({ provider, rubric: correctness, abstain: true }).measure(sample, answer, fakeTools())
    expect(measured).toMatchObject({
      status: "unscored",
      reason: "judge_abstained",
      details: { members: [{ status: "abstained" }] },
    })
  })

  it("takes the mean of repeats, each with a seed and a mark of its own", async () => {
    const provider = fakeJudge((_request, call) => says(call % 2 === 0 ? "yes" : "no"))
    const measured = await rubric({ provider, rubric: correctness, repeats: 4 }).measure(sample, answer, fakeTools())
    expect(rowOf(measured).score).toBe(0.5)
    expect(rowOf(measured).members[0]?.repeats).toHaveLength(4)
    expect(new Set(provider.requests.map(({ parameters }) => parameters.seed)).size).toBe(4)
    expect(new Set(provider.requests.map(lastUserText)).size).toBe(4)
  })

  it("takes the expected score where the endpoint gives log-probabilities", async () => {
    const logprobs = [
      {
        token: "4",
        logprob: Math.log(0.5),
        top: [
          { token: "4", logprob: Math.log(0.5) },
          { token: "5", logprob: Math.log(0.5) },
        ],
      },
    ]
    const provider = fakeJudge(() => fakeAnswer("4", "ok", { logprobs }))
    const measured = await rubric({ provider, rubric: gradeOneToFive }).measure(sample, answer, fakeTools())
    expect(rowOf(measured)).toMatchObject({ score: 4.5, members: [{ choice: 4 }] })
    const plain = await rubric({ provider, rubric: gradeOneToFive, expectedValue: false }).measure(
      sample,
      answer,
      fakeTools(),
    )
    expect(rowOf(plain).score).toBe(4)
  })

  it("flags a judge whose model is a candidate", async () => {
    const provider = fakeJudge(() => says("yes"), "gpt-x")
    const measured = await rubric({ provider, rubric: correctness }).measure(
      sample,
      answer,
      fakeTools({ candidateModels: ["gpt-x"] }),
    )
    expect(rowOf(measured).members[0]?.alsoCandidate).toBe(true)
  })

  it("sends a trained judge its own form and nothing else, and does not ask it to repair", async () => {
    const provider = fakeJudge(() => "banana")
    const judge = rubric({ provider, rubric: tinyJudge() })
    expect(await judge.measure(sample, answer, fakeTools())).toMatchObject({ status: "unscored" })
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]?.messages).toEqual([
      { role: "user", content: "Reference: 42 Answer: It is 42. Is the answer correct?" },
    ])
    expect(judge.note).toContain("demonstration")
    expect(judge.signature).toContain("fence:none")
  })

  it("names rubric, version, hash and model in its signature; other words give another hash", () => {
    const provider = fakeJudge(() => "", "gpt-x")
    const entry = defineRubric({ name: "polite", instructions: "Is it polite?", choices: { yes: 1, no: 0 } })
    const two = defineRubric({ name: "polite", instructions: "Is it very polite?", choices: { yes: 1, no: 0 } })
    expect(rubric({ provider, rubric: entry }).signature).toContain(`rubric:polite.v1.${entry.hash}`)
    expect(rubric({ provider, rubric: entry }).signature).toContain("model:gpt-x")
    expect(entry.hash).not.toBe(two.hash)
  })

  it("refuses rubrics that cannot be answered", () => {
    expect(() => defineRubric({ name: "r", instructions: "?", choices: { yes: 1 } })).toThrow(/two choices/)
    expect(() => defineRubric({ name: "r", instructions: "?", choices: { yes: 1, YES: 0 } })).toThrow(
      /must be different/,
    )
  })
})
