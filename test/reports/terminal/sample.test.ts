import { describe, expect, it } from "vitest"
import { sampleText } from "../../../reports/page/answer-text.ts"
import { pageLimits } from "../../../reports/page/limits.ts"
import { renderSample } from "../../../reports/terminal/sample.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { ReportSample } from "../../../src/core/report/report-sample.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"

/** An answer with its first token after 10 ms and its last after 30, whose server states 8 ms for the prompt. */
function answered(decodeMs: number): string {
  const { retryAfterMs: _, ...answer } = fakeAnswer("830", "ok", {
    server: { timings: { prompt_ms: 8, predicted_n: 3, predicted_ms: decodeMs } },
  })
  const facts = { variant: "m", sampleId: "s", repeat: 0, source: "measured", segment: 0, position: 0, retries: [] }
  const generation = { ...answer, ...facts, cost: { status: "known", usd: 0.001, parts: {} } } as unknown as Generation
  return renderSample(fakeSample("s", { input: "Compute 924 - 94." }), [{ generation, rows: [] }])
}

describe("the question", () => {
  it("shows what an earlier turn of the assistant called", () => {
    const input = [
      { role: "user" as const, content: "How many apples are in stock?" },
      {
        role: "assistant" as const,
        content: "",
        toolCalls: [{ id: "1", name: "stock", arguments: { item: "apples" } }],
      },
    ]
    const sample = fakeSample("s", { input })
    expect(renderSample(sample, [])).toContain('  assistant   → stock {"item":"apples"}\n')
    const { input: turns } = sampleText(
      { sample, answers: [] } as unknown as ReportSample,
      { variants: new Map(), metrics: new Map() },
      pageLimits(1),
    )
    expect(turns.at(-1)).toEqual({ role: "assistant", text: '→ stock {"item":"apples"}' })
  })
})

describe("the scores of an answer", () => {
  it("stand under the titles of their metrics, as everywhere else", () => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("830")
    const call = { variant: "m", sampleId: "s", repeat: 0, source: "measured", segment: 0, position: 0, retries: [] }
    const generation = { ...answer, ...call, cost: { status: "unknown", reason: "no price" } } as unknown as Generation
    const row = (metric: string) => ({ metric, repeat: 0, measured: { status: "scored", row: [1] }, value: 1 })
    const shown = renderSample(
      fakeSample("s", { input: "Compute 924 - 94." }),
      [
        {
          generation,
          rows: [row("exact_match"), row("rubric:tone")] as never,
          reasons: new Map([["rubric:tone", "kind"]]),
        },
      ],
      [{ name: "exact_match" }, { name: "rubric:tone", title: "Tone of the answer" }],
    )
    expect(shown).toContain("  exact match 1 \u00b7 Tone of the answer 1\n")
    expect(shown).toContain("  Tone of the answer\n    kind\n")
  })
})

describe("an error of the user's own code", () => {
  it("leads to its place, of a function that answers and of a metric", () => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("", "application_error")
    const call = { variant: "m", sampleId: "s", repeat: 0, source: "measured", segment: 0, position: 0, retries: [] }
    const stack = (file: string) => `TypeError: broken\n    at answer (${file}:3:9)\n    at \u001b[31mlater (x.ts:1:1)`
    const failure = { message: "broken", stack: stack("mine.ts") }
    const cost = { status: "unknown", reason: "no price" }
    const measured = {
      status: "unscored",
      code: "metric_failed",
      reason: "broken",
      details: { stack: stack("own.ts") },
    }
    const shown = renderSample(fakeSample("s", {}), [
      {
        generation: { ...answer, ...call, cost, failure } as unknown as Generation,
        rows: [{ metric: "odd", repeat: 0, measured, value: null }] as never,
      },
    ])
    expect(shown).toContain("  failure   broken\n    at answer (mine.ts:3:9)\n    at ")
    expect(shown).toContain("    at answer (own.ts:3:9)\n")
    expect(shown).not.toContain("\u001b")
  })
})

describe("what a server states of one answer", () => {
  it("is the time of each phase, with what of the first token is none of it", () => {
    expect(answered(20)).toContain(
      "server   prefill 8.00 ms · decode 20.0 ms · rest of the first token (network and queue) 2.00 ms (by llama.cpp's own clock)",
    )
  })

  it("says why it decoded for longer than the client saw text come", () => {
    expect(answered(25)).toContain("· decode with the token that ends it 25.0 ms ·")
  })
})
