import type { EpisodeStep, ModelStep, ToolStep } from "../../../src/core/episode/step.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { Measured, Metric } from "../../../src/core/metric/metric.ts"
import type { MetricTools } from "../../../src/core/metric/metric-tools.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { foreignGeneration } from "../../../src/text/reading/foreign-generation.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"

/** An answer of the model within an episode. */
export function said(turn: number, text: string, overrides: Partial<ModelStep> = {}): ModelStep {
  const { retryAfterMs: _none, logprobs: _no, server: _server, ...answer } = fakeAnswer(text)
  return {
    kind: "model",
    turn,
    ...answer,
    retries: [],
    cost: { status: "known", usd: 0.01, parts: {} },
    messages: 1,
    ...overrides,
  }
}

/** A call of a tool within an episode, asked for by the step of this number. */
export function called(
  asked: number,
  name: string,
  input: ToolStep["arguments"],
  result: string,
  outcome: ToolStep["outcome"] = "ok",
  index = 0,
): ToolStep {
  return {
    kind: "tool",
    turn: 0,
    asked,
    place: index,
    name,
    arguments: input,
    id: `c${asked}${index}`,
    outcome,
    result,
    startMs: 40,
    endMs: 60,
  }
}

/** The answer of an episode. */
export function episodeAnswer(
  steps: readonly EpisodeStep[],
  more: Partial<NonNullable<Generation["episode"]>> = {},
): Generation {
  const text = steps.findLast((step) => step.kind === "model")?.text ?? ""
  return foreignGeneration({ sampleId: "s", text, source: "measured", episode: { steps, turns: 1, ...more } })
}

/** What a metric finds of an answer: its value, or the code of why there is none. */
export async function figureOf<Row>(metric: Metric<Row>, sample: Sample, generation: Generation) {
  const measured: Measured<Row> = await metric.measure(sample, generation, {} as MetricTools)
  return measured.status === "scored" ? metric.value(measured.row) : measured.code
}
