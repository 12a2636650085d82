import { describe, expect, it } from "vitest"
import { finalState } from "../../../metrics/episodes/final-state.ts"
import { needlessCalls } from "../../../metrics/episodes/needless-calls.ts"
import { onToolResults, wholeConversation } from "../../../metrics/episodes/on-episode.ts"
import { perTurn } from "../../../metrics/episodes/per-turn.ts"
import { policyViolations } from "../../../metrics/episodes/policy-violations.ts"
import { resultUse } from "../../../metrics/episodes/result-use.ts"
import { toolRecovery } from "../../../metrics/episodes/tool-recovery.ts"
import { ungroundedFacts } from "../../../metrics/hallucination/ungrounded-facts.ts"
import { contains } from "../../../metrics/match/contains.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { meanMetric } from "../../../src/core/metric/mean-metric.ts"
import { foreignGeneration } from "../../../src/text/reading/foreign-generation.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { called, episodeAnswer, figureOf, said } from "./episode-answer.ts"

const sample = fakeSample("s", { input: "What is the weather in Oslo?" })
const plain = foreignGeneration({ sampleId: "s", text: "x" })

describe("finalState", () => {
  const booked = finalState({ success: (state) => (state as { booked: string[] }).booked.includes("SK1") })

  it("judges an episode by the state that its tools left", async () => {
    expect(await figureOf(booked, sample, episodeAnswer([said(0, "No idea.")], { state: { booked: ["SK1"] } }))).toBe(1)
    expect(await figureOf(booked, sample, episodeAnswer([said(0, "Booked!")], { state: { booked: [] } }))).toBe(0)
  })

  it("says why where there is none, and where the check is at fault", async () => {
    expect(await figureOf(booked, sample, plain)).toBe("no_episode")
    expect(await figureOf(booked, sample, episodeAnswer([], { noState: "it is no JSON" }))).toBe("no_state")
    expect(await figureOf(booked, sample, episodeAnswer([], { state: 3 }))).toBe("check_failed")
    expect(await figureOf(finalState({ success: () => 2 }), sample, episodeAnswer([], { state: {} }))).toBe(
      "check_failed",
    )
  })
})

describe("toolRecovery", () => {
  it.each([
    ["the same tool later", [said(0, ""), called(0, "a", {}, "", "timeout"), said(0, ""), called(2, "a", {}, "x")], 1],
    ["another tool later", [said(0, ""), called(0, "a", {}, "", "error"), said(0, ""), called(2, "b", {}, "x")], 0],
    [
      "any tool after an unknown one",
      [said(0, ""), called(0, "z", {}, "", "unknown_tool"), said(0, ""), called(2, "b", {}, "x")],
      1,
    ],
    ["a call beside it", [said(0, ""), called(0, "a", {}, "", "error"), called(0, "a", {}, "x", "ok", 1)], 0],
    [
      "one of two",
      [
        said(0, ""),
        called(0, "a", {}, "", "error"),
        called(0, "b", {}, "", "error", 1),
        said(0, ""),
        called(3, "b", {}, "x"),
      ],
      0.5,
    ],
  ])("counts %s", async (_what, steps, value) => {
    expect(await figureOf(toolRecovery(), sample, episodeAnswer(steps))).toBe(value)
  })

  it("has no value where nothing failed; a result that was cut is none of that", async () => {
    const fine = episodeAnswer([said(0, ""), called(0, "a", {}, "x", "too_large")])
    expect(await figureOf(toolRecovery(), sample, fine)).toBe("no_tool_error")
  })
})

describe("needlessCalls", () => {
  it("counts calls that repeat an earlier one with the same result", async () => {
    const steps = [
      said(0, ""),
      called(0, "a", { x: 1, y: 2 }, "r"),
      said(0, ""),
      called(2, "a", { y: 2, x: 1 }, "r"),
      called(2, "a", { x: 1, y: 2 }, "other", "ok", 1),
    ]
    expect(await figureOf(needlessCalls(), sample, episodeAnswer(steps))).toBeCloseTo(1 / 3, 12)
    expect(await figureOf(needlessCalls(), sample, episodeAnswer([said(0, "")]))).toBe("no_tool_calls")
  })
})

describe("resultUse", () => {
  const steps = (answer: string) => [
    said(0, ""),
    called(0, "weather", { city: "Oslo" }, '{"city":"Oslo","degrees":21}'),
    called(0, "news", {}, '["Election won by Hansen"]', "ok", 1),
    said(0, answer),
  ]
  it.each([
    ["It has 21 degrees.", 0.5],
    // Oslo was in the question, and 2 is not 21.
    ["Oslo has 2 degrees.", 0],
    ["21 degrees; the election won by Hansen is over.", 1],
  ])("reads %j as %d", async (answer, value) => {
    expect(await figureOf(resultUse(), sample, episodeAnswer(steps(answer)))).toBe(value)
  })

  it("counts a value that a later call was made with", async () => {
    const later = [
      said(0, ""),
      called(0, "find", {}, '{"order":"A-77"}'),
      said(0, ""),
      called(2, "open", { order: "A-77" }, "true"),
    ]
    expect(await figureOf(resultUse(), sample, episodeAnswer([...later, said(0, "Done.")]))).toBe(1)
  })
})

it("policyViolations names the rules that an episode broke", async () => {
  const metric = policyViolations({
    rules: {
      "refund before a look": ({ calls }) => calls[0]?.name === "refund",
      "says sorry": ({ text }) => text.includes("sorry"),
    },
  })
  const broken = episodeAnswer([said(0, ""), called(0, "refund", {}, "ok"), said(0, "Done")])
  const fine = episodeAnswer([said(0, ""), called(0, "look", {}, "ok"), said(0, "Done")])
  expect([await figureOf(metric, sample, broken), await figureOf(metric, sample, fine)]).toEqual([1, 0])
  const rows = [broken, fine].map((generation) => metric.measure(sample, generation, {} as never))
  const entries = (await Promise.all(rows)).flatMap((measured) =>
    measured.status === "scored" ? [{ row: measured.row, sampleId: "s", repeat: 0 }] : [],
  )
  expect(metric.summarise(entries)).toEqual({ value: 0.5, details: { "refund before a look": 1, "says sorry": 0 } })
  const faulty = policyViolations({
    rules: {
      x: () => {
        throw new Error("no")
      },
    },
  })
  expect(await figureOf(faulty, sample, broken)).toBe("check_failed")
})

describe("perTurn", () => {
  const conversation = fakeSample("c", {
    input: "one?",
    turns: [
      { content: "one?", references: ["1"] },
      { content: "two?", references: ["2"] },
    ],
    references: ["2"],
  })
  it("measures each answer against its own turn", async () => {
    const right = episodeAnswer([said(0, "1"), said(1, "2")], { turns: 2 })
    const half = episodeAnswer([said(0, "2"), said(1, "2")], { turns: 2 })
    expect(await figureOf(perTurn(exactMatch()), conversation, right)).toBe(1)
    expect(await figureOf(perTurn(exactMatch()), conversation, half)).toBe(0.5)
    expect(await figureOf(perTurn(exactMatch(), { turn: 1 }), conversation, half)).toBe(0)
    expect(await figureOf(perTurn(exactMatch(), { turn: 3 }), conversation, half)).toBe("no_episode")
    expect([perTurn(exactMatch()).name, perTurn(exactMatch(), { turn: 2 }).name]).toEqual([
      "exactMatch.turns",
      "exactMatch.turn2",
    ])
  })

  it("counts a turn that was not reached as the worst, of a loss as its largest", async () => {
    const broken = episodeAnswer([said(0, "1")], { turns: 2 })
    expect(await figureOf(perTurn(exactMatch()), conversation, broken)).toBe(0.5)
    const loss = meanMetric({ name: "loss", signature: "l", direction: "lower", range: [0, 4], measure: () => 1 })
    expect(await figureOf(perTurn(loss), conversation, broken)).toBe(2.5)
    const endless = meanMetric({ name: "e", signature: "e", range: [Number.NEGATIVE_INFINITY, 0], measure: () => 0 })
    expect(await figureOf(perTurn(endless), conversation, broken)).toBe("failed")
  })

  it("shows a metric the conversation up to the turn as its input", async () => {
    const seen: unknown[] = []
    const spy = meanMetric({ name: "spy", signature: "s", measure: ({ input }) => seen.push(input) && 1 })
    await figureOf(perTurn(spy), conversation, episodeAnswer([said(0, "1"), said(1, "2")], { turns: 2 }))
    expect(seen).toEqual([
      [{ role: "user", content: "one?" }],
      [
        { role: "user", content: "one?" },
        { role: "assistant", content: "1" },
        { role: "user", content: "two?" },
      ],
    ])
  })
})

it("onToolResults measures an answer against what the tools returned, failed calls left out", async () => {
  const metric = onToolResults(ungroundedFacts({ against: "context" }))
  const steps = (answer: string) => [
    said(0, ""),
    called(0, "find", {}, "The tower is 324 metres high."),
    called(0, "find", {}, "500 errors", "error", 1),
    said(0, answer),
  ]
  expect(metric.name).toBe("ungroundedFacts.toolResults")
  expect(await figureOf(metric, sample, episodeAnswer(steps("It is 324 metres high.")))).toBe(0)
  expect(await figureOf(metric, sample, episodeAnswer(steps("It is 500 metres high.")))).toBe(1)
  expect(await figureOf(metric, sample, episodeAnswer([said(0, "324")]))).toBe("no_tool_calls")
})

it("wholeConversation measures all that was said", async () => {
  const two = fakeSample("c", {
    input: "one?",
    references: ["alpha"],
    turns: [
      { content: "one?", references: [] },
      { content: "two?", references: [] },
    ],
  })
  const answer = episodeAnswer([said(0, "alpha"), said(1, "beta")], { turns: 2 })
  expect(await figureOf(contains(), two, answer)).toBe(0)
  expect(await figureOf(wholeConversation(contains()), two, answer)).toBe(1)
  expect(await figureOf(wholeConversation(contains()), two, plain)).toBe("no_episode")
})
