import { describe, expect, it } from "vitest"
import { type Figure, figureValue, unknown } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { comparedFigures } from "../../../src/perf/bench/compared-figures.ts"

const point = (value: number, n = 10): Figure => ({
  status: "known",
  value,
  low: value * 0.9,
  high: value * 1.1,
  n,
  method: "x",
})
/** Ten answers of 50 tokens to prompts of 100, of which the server read 80 in 20 ms each, and wrote all but the first token in 490 ms. */
const level = {
  plan: { kind: "closed", concurrency: 4 },
  answered: 10,
  tokens: { prompt: point(1000), cachedPrompt: point(200), completion: point(500) },
  cost: { totalUsd: point(0.25) },
  speed: {
    systemTokensPerSecond: point(400),
    server: { answers: 10, source: "llama.cpp", prefillMs: { mean: point(20) }, decodeMs: { mean: point(490) } },
  },
} as unknown as BenchLevel
const gpu = (names: string[]) =>
  ({ gpu: { names, count: names.length } }) as unknown as Parameters<typeof comparedFigures>[1]

describe("comparedFigures", () => {
  it("divides throughput by users, GPUs and dollars, and tokens by the server's own time", () => {
    const figures = comparedFigures(level, gpu(["A", "B"]))
    expect(Object.values(figures).map(figureValue)).toEqual([100, 200, 2000, 4000, 100])
    expect(figures.tokensPerSecondPerUser).toMatchObject({ low: 90, high: 110.00000000000001 })
    expect(figures.promptProcessing).toMatchObject({ by: "server" })
  })

  it("divides by the GPUs that ran the server, of which several have one name", () => {
    const pair = { gpu: { names: ["NVIDIA H100"], count: 2 } } as unknown as Parameters<typeof comparedFigures>[1]
    expect(figureValue(comparedFigures(level, pair).tokensPerSecondPerGpu)).toBe(200)
    const older = { gpu: { names: ["NVIDIA H100"] } } as unknown as Parameters<typeof comparedFigures>[1]
    expect(comparedFigures(level, older).tokensPerSecondPerGpu.status).toBe("unknown")
  })

  it("derives no writing speed of answers of one token, for which a server states next to no time", () => {
    const single = {
      ...level,
      tokens: { ...level.tokens, completion: point(10) },
      speed: { ...level.speed, server: { ...level.speed.server, decodeMs: { mean: point(0.001) } } },
    } as unknown as BenchLevel
    expect(comparedFigures(single, undefined).tokenGeneration).toEqual({
      status: "unknown",
      reason: "most answers have a single token, which takes no time of writing",
    })
  })

  it("derives no reading speed where it is not said how much of the prompts a cache held, as by Ollama", () => {
    const { promptProcessing, tokenGeneration } = comparedFigures(
      { ...level, tokens: { ...level.tokens, cachedPrompt: unknown("not reported") } },
      undefined,
    )
    expect(promptProcessing).toEqual({
      status: "unknown",
      reason: "the service does not say how much of the prompts its cache held",
    })
    expect(figureValue(tokenGeneration)).toBe(100)
  })

  it("is unknown, with the reason, where a part is", () => {
    const without = comparedFigures(
      {
        ...level,
        plan: { kind: "open", arrivals: Float64Array.of(0), description: "" },
        cost: { ...level.cost, totalUsd: unknown("no price") },
        speed: { ...level.speed, server: { answers: 9, source: "llama.cpp" } },
      } as BenchLevel,
      undefined,
    )
    expect(
      Object.values(without).map((figure: Figure) => (figure.status === "unknown" ? figure.reason : figure)),
    ).toEqual([
      "an open loop has no number of users",
      "no GPU is known to run the server",
      "no price",
      "the server states no times of its own",
      "the server states no times of its own",
    ])
  })
})
