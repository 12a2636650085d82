import { performance } from "node:perf_hooks"
import type { Generation } from "../../src/core/generation.ts"
import { unknown } from "../../src/core/report/figure.ts"
import { createCostAccumulator } from "../../src/cost/cost-figures.ts"
import { createSpeedAccumulator } from "../../src/perf/speed-figures.ts"

/**
 * How long speed and cost figures of a large run take, and how much memory they hold. Prints one row for each size:
 * `node --expose-gc --import jiti/register benchmarks/perf/accumulate.ts`.
 */
const tokensPerAnswer = 100

function generation(i: number): Generation {
  const sendMs = i * 10
  const events = Array.from({ length: tokensPerAnswer }, (_, token) => ({
    atMs: sendMs + 200 + token * 10 + ((i * 7 + token) % 5),
    kind: "content" as const,
    tokens: null,
    bytes: 4,
  }))
  return {
    outcome: "ok",
    text: "",
    reasoning: "",
    toolCalls: [],
    logprobs: null,
    finishReason: "stop",
    usage: { promptTokens: 50, cachedPromptTokens: 0, completionTokens: tokensPerAnswer, reasoningTokens: null },
    log: { scheduledMs: sendMs, sendMs, connectMs: null, headersMs: null, events, endMs: sendMs + 1200 },
    httpStatus: 200,
    failure: null,
    servedModel: null,
    server: null,
    variant: "a",
    sampleId: String(i),
    repeat: 0,
    source: "measured",
    segment: 0,
    position: i,
    retries: [],
    cost: { status: "known", usd: 0.001, parts: {} },
  }
}

console.log("answers   add, µs each   figures, ms   memory, MB")
for (const answers of [1000, 10_000, 50_000]) {
  globalThis.gc?.()
  const before = process.memoryUsage()
  const speed = createSpeedAccumulator()
  const cost = createCostAccumulator({ price: null })
  let addMs = 0
  for (let i = 0; i < answers; i++) {
    const made = generation(i)
    const startMs = performance.now()
    speed.add(made)
    cost.add(made, 1)
    addMs += performance.now() - startMs
  }
  const startMs = performance.now()
  speed.figures()
  cost.figures(unknown("not needed"), null)
  const figuresMs = performance.now() - startMs
  globalThis.gc?.()
  const after = process.memoryUsage()
  // Still in use here, so that what it holds is counted.
  if (speed.retries() > 0) throw new Error("no attempt was retried")
  const megabytes = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1e6
  const row = [
    ((addMs * 1000) / answers).toFixed(1).padStart(12),
    figuresMs.toFixed(0).padStart(13),
    megabytes.toFixed(1).padStart(12),
  ]
  console.log(`${String(answers).padStart(7)} ${row.join(" ")}`)
}
