import { expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { defineConfig, evaluate as evaluateConfig, exactMatch, fromFunction, variant } from "../../src/index.ts"
import { evaluate } from "../../src/vitest.ts"
import { scratchDirectory } from "../support/scratch.ts"

const after = (name: string, ms: number) =>
  fromFunction(() => new Promise<string>((resolve) => setTimeout(() => resolve("a"), ms)), { name })

/** Forty questions to two functions, one of which takes a quarter of the other's time. */
const configOf = (directory: string) =>
  defineConfig({
    directory,
    dataset: Array.from({ length: 40 }, (_, i) => ({ id: `s${i}`, input: `q${i}`, references: ["a"] })),
    variants: [
      variant({ name: "slow", provider: after("slow", 40) }),
      variant({ name: "fast", provider: after("fast", 10) }),
    ],
    metrics: [exactMatch()],
    margin: 0.1,
    concurrency: 8,
  })

/** What is said of the time, which may be claimed only where the client's own error is known. */
function expectGain({ comparisons, checks }: RunReport): void {
  const change = comparisons[0]?.changes?.find(({ figure }) => figure === "e2eMs")
  expect(change?.method).not.toContain("was not measured")
  expect(checks.map(({ status, message }) => `${status}: ${message}`).join("\n")).not.toMatch(
    /was not (?:measured|calibrated)/,
  )
}

evaluate("measures evalkit's own error, so that a test may claim a gain of time", configOf(scratchDirectory()), {
  check: expectGain,
})

it("does so where a program calls the library", { timeout: 60_000 }, async () => {
  expectGain((await evaluateConfig(configOf(scratchDirectory()))).report)
})
