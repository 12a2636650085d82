import { expect, it } from "vitest"
import { unknownUsage } from "../../src/core/usage.ts"
import { generationFigures } from "../../src/perf/answer-latency.ts"
import { logOf } from "./logs.ts"

it("derives figures anew where the log or the usage is another's, and once for the same", () => {
  const log = logOf([{ atMs: 200 }, { atMs: 300 }], { scheduledMs: 0, sendMs: 100 })
  const later = logOf([{ atMs: 250 }, { atMs: 300 }], { scheduledMs: 0, sendMs: 100 })
  const first = generationFigures({ log, usage: unknownUsage })
  expect(generationFigures({ log, usage: unknownUsage })).toBe(first)
  expect([first.ttftMs, generationFigures({ log: later, usage: unknownUsage }).ttftMs]).toEqual([100, 150])
  const counted = generationFigures({ log: later, usage: { ...unknownUsage, completionTokens: 9 } })
  expect(counted.outputTokens).toBe(9)
})
