import { expect, it } from "vitest"
import { sampleText } from "../../../reports/page/answer-text.ts"
import { renderSample } from "../../../reports/terminal/sample.ts"
import { episodeThread } from "../../../reports/wording/episode-thread.ts"
import { called, episodeAnswer, said } from "../../metrics/episodes/episode-answer.ts"
import { fakeSample } from "../../support/fake-variant.ts"

const sample = fakeSample("s", {
  input: "one?",
  references: [],
  turns: [
    { content: "one?", references: [] },
    { content: "two?", references: [] },
  ],
})
const steps = [
  said(0, "given up"),
  { kind: "restart", reason: "its tools' state was lost" } as const,
  said(0, "", { toolCalls: [{ name: "look", arguments: { at: 1 }, id: "c" }] }),
  called(2, "look", { at: 1 }, "seen"),
  called(2, "gone", {}, "no such tool", "unknown_tool", 1),
  said(0, "first answer"),
  said(1, "second answer"),
]
const generation = { ...episodeAnswer(steps, { turns: 2, state: { a: 1 } }), variant: "m" }

it("shows what led to the answer in order, on one time line without the waits", () => {
  expect(episodeThread({ steps }, sample).map((entry) => Object.values(entry))).toEqual([
    ["user", "", "one?", null, null],
    ["model", "", '→ look {"at":1}', 0, 30],
    ["tool", "look ok", "seen", 30, 50],
    ["tool", "gone unknown_tool", "no such tool", 30, 50],
    ["model", "", "first answer", 50, 80],
    ["user", "", "two?", null, null],
    ["model", "", "second answer", 80, 110],
  ])
})

it("is what `show` prints, and says that the episode began anew", () => {
  const text = renderSample(sample, [{ generation, rows: [] }])
  expect(text).toContain("  began anew once: its tools' state was lost")
  expect(text).toContain('  model   at 0 ms, 30.0 ms   → look {"at":1}')
  expect(text).toContain("  tool    look ok · at 30.0 ms, 20.0 ms   seen")
  expect(text).toContain("  user    two?")
  expect(text).toContain('  state   {"a":1}')
})

it("holds hostile texts back from the terminal, and cuts them on the page", () => {
  const hostile = episodeAnswer([
    said(0, "\u001b[2Jx"),
    called(0, "a\u001b]0;t\u0007", {}, "\u202egnp.exe"),
    said(0, "y".repeat(5000)),
  ])
  const shown = renderSample(sample, [{ generation: { ...hostile, variant: "m" }, rows: [] }])
  expect(shown).not.toMatch(/[\u001b\u0007\u202e]/)
  const limits = { text: 100, details: 0 } as never
  const positions = { variants: new Map([["m", 0]]), metrics: new Map() }
  const answer = { generation: { ...hostile, variant: "m" }, reasons: {}, rows: [] } as never
  const page = sampleText({ sample, answers: [answer] } as never, positions, limits)
  expect(page.answers[0]?.thread?.at(-1)?.[2]).toHaveLength(101)
  expect(page.answers[0]?.thread?.map(([who]) => who)).toEqual(["user", "model", "tool", "model"])
})
