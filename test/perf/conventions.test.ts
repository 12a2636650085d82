import { describe, expect, it } from "vitest"
import { toolFigures } from "../../src/perf/conventions.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { logOf, workedExample } from "./logs.ts"

describe("one truth through four tools", () => {
  it("prints 20.0, 17.1, 200 and 22.8 ms from one log", () => {
    const [vllm, aiperf, guidellm, llmperf] = toolFigures(workedExample, 64)
    expect(requestFigures(workedExample, 64).tpotMs?.toFixed(1)).toBe("20.0")
    expect(vllm?.tpotMs?.toFixed(1)).toBe("17.1")
    expect(aiperf?.itlMs[0]?.toFixed(1)).toBe("17.1")
    expect(
      quantileOfSorted(
        [...(vllm?.itlMs ?? [])].sort((a, b) => a - b),
        0.5,
      ),
    ).toBe(200)
    expect(guidellm?.tpotMs?.toFixed(1)).toBe("22.8")
    expect(llmperf?.itlMs[0]?.toFixed(1)).toBe("22.8")
  })

  it("lets vLLM's first token be the empty role delta", () => {
    const log = logOf([{ atMs: 3, kind: "role", tokens: 0 }, { atMs: 200 }, { atMs: 210 }])
    expect(toolFigures(log, 2).map(({ ttftMs }) => ttftMs)).toEqual([3, 200, 200, 200])
  })

  it("prints nothing that it cannot know", () => {
    for (const figures of toolFigures(logOf([{ atMs: 100 }]), null)) expect(figures.tpotMs).toBeNull()
    expect(toolFigures(logOf([]), 3).map(({ ttftMs }) => ttftMs)).toEqual([null, null, null, null])
  })
})
