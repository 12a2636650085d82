import { describe, expect, it } from "vitest"
import { figureWords } from "../../src/words/figures/figure-name.ts"

describe("what a figure is called in a sentence", () => {
  const metrics = [{ name: "exact_match" }, { name: "own", title: "right as written" }]

  it.each([
    ["ttftMs.p95", "time to first token (p95)"],
    ["e2eMs", "time end to end (median)"],
    ["tpotMs.p50", "time per output token (median)"],
    ["ttftMs.mean", "time to first token (mean)"],
    ["stages.retrieve", "time of the stage retrieve (median)"],
    ["stages.retrieve.p99", "time of the stage retrieve (p99)"],
    ["costUsd", "cost"],
    ["systemTokensPerSecond", "system tokens per second"],
    ["exact_match", "exact match"],
    ["own", "right as written"],
    ["constructor", "constructor"],
  ])("is no name of a field: %s", (figure, said) => {
    expect(figureWords(figure, metrics)).toBe(said)
  })
})
