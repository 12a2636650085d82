import { describe, expect, it } from "vitest"
import { createTextAccumulator } from "../../../src/analyse/summary/text-figures.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { Generation } from "../../../src/core/generation.ts"
import { type Figure, figureValue, unknown } from "../../../src/core/report/figure.ts"
import type { CostFigures, VariantReport } from "../../../src/core/report/report.ts"
import { reportFigure } from "../../../src/estimate/report-figure.ts"
import { fakeProvider } from "../../config/support.ts"
import { said } from "../../metrics/episodes/episode-answer.ts"
import { generationOf, logOf } from "../../perf/logs.ts"

const point = (value: number): Figure => ({ status: "known", value, n: 4, method: "a test" })
const costOf = (totalUsd: Figure) => ({ totalUsd }) as CostFigures

/** Words are tokens here: that they are o200k's is tested beside their counter. */
const countWords = (text: string) => text.split(" ").filter(Boolean).length

function answer(text: string, changes: Partial<Generation> = {}): Generation {
  const events = Array.from({ length: 10 }, (_, i) => ({ atMs: 100 + 100 * i }))
  const usage = { promptTokens: 5, cachedPromptTokens: null, completionTokens: 40, reasoningTokens: null }
  return generationOf(logOf(events, { endMs: 1000 }), { text, usage, ...changes })
}

function figuresOf(generations: readonly Generation[], totalUsd: Figure = point(0.04), planned = generations.length) {
  const text = createTextAccumulator(countWords, planned)
  for (const generation of generations) text.add(generation)
  return text.figures(costOf(totalUsd))
}

describe("what a variant wrote", () => {
  it("is counted per answer and per second in three measures", () => {
    const figures = figuresOf([answer("one two three four"), answer("five six seven eight")])
    expect(figureValue(figures.tokensPerAnswer)).toBe(40)
    expect(figureValue(figures.o200kPerAnswer)).toBe(4)
    expect(figureValue(figures.charactersPerAnswer)).toBe((18 + 20) / 2)
    // nine of ten equal reads in 900 ms: 4 × 0.9 / 0.9 s
    expect(figureValue(figures.o200kPerSecond)).toBeCloseTo(4, 9)
    expect(figureValue(figures.usdPerAnswer)).toBe(0.02)
    expect(figureValue(figures.usdPerMillionO200k)).toBeCloseTo(5000, 9)
    expect(figureValue(figures.usdPerMillionCharacters)).toBeCloseTo((0.04 / 38) * 1e6, 6)
  })

  it("counts reasoning and tool calls that were shown, and code points, not UTF-16 units", () => {
    const toolCalls = [{ name: "add", arguments: { a: 1 } }]
    const figures = figuresOf([answer("😀é", { reasoning: "hm ", toolCalls })])
    expect(figureValue(figures.charactersPerAnswer)).toBe("hm ".length + 2 + 'add{"a":1}'.length)
  })

  it("counts all that an episode wrote, and no time in which it read or called tools", () => {
    const first = answer("", { toolCalls: [{ name: "add", arguments: { a: 1 } }] })
    const second = answer("0123456789")
    const steps = [first, second].map(({ text, toolCalls, log }) => said(0, text, { toolCalls, log }))
    const [own, later] = [first.log, second.log].map(({ events }) => events)
    const waited = [...(own ?? []), ...(later ?? []).map((event) => ({ ...event, atMs: event.atMs + 9_000 }))]
    const log = { ...first.log, events: waited, endMs: 10_000 }
    const figures = figuresOf([answer("0123456789", { log, episode: { steps, turns: 1 } })])
    expect(figureValue(figures.charactersPerAnswer)).toBe(20)
    // nine of ten equal reads of ten characters in 900 ms, twice
    expect(figureValue(figures.charactersPerSecond)).toBeCloseTo(10, 9)
  })

  it("leaves out failures, whose cost the answers pay, and has no speed of what was not timed here", () => {
    const failed = answer("half an ans", { outcome: "truncated" })
    const replayed = answer("one two", { source: "replayed" })
    const figures = figuresOf([failed, replayed])
    expect(figureValue(figures.o200kPerAnswer)).toBe(2)
    expect(figureValue(figures.usdPerAnswer)).toBe(0.04)
    expect(figures.charactersPerSecond).toEqual(unknown("no answer was streamed and timed"))
  })

  it("counts every so-manieth of very many answers, and says so", () => {
    const figures = figuresOf(
      Array.from({ length: 30 }, () => answer("one two")),
      point(1),
      6000,
    )
    expect(figures.o200kPerAnswer).toMatchObject({ n: 10, method: expect.stringContaining("of one answer in 3") })
    expect(figures.charactersPerAnswer).toMatchObject({ n: 30 })
  })

  it("takes the rest of a very long answer to be like its beginning", () => {
    expect(figureValue(figuresOf([answer("word ".repeat(8000))]).o200kPerAnswer)).toBe(8000)
  })

  it("is found by the names that a gate uses, which a config takes", async () => {
    const text = figuresOf([answer("one two three four")])
    const report = { text, quality: [], cost: {}, resources: {}, tokens: {}, speed: {} } as unknown as VariantReport
    expect(reportFigure(report, "charactersPerSecond")).toEqual(text.charactersPerSecond)
    const gate = Object.keys(text).map((figure) => ({ figure, max: 1 }))
    const config = { dataset: [{ id: "a", input: "b" }], variants: [{ provider: fakeProvider("m") }], gate }
    await expect(validateConfig(config)).resolves.toMatchObject({ gate })
  })

  it("is unknown, never 0, where nothing was answered or the cost is unknown", () => {
    const none = figuresOf([])
    expect(Object.values(none).map(({ status }) => status)).toEqual(Array(8).fill("unknown"))
    expect(figuresOf([answer("a b")], unknown("no price")).usdPerAnswer).toEqual(unknown("no price"))
  })
})
