import { describe, expect, it } from "vitest"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { ServedVariant } from "../../../src/wording/sections/serving/served-variant.ts"
import { throughputSection } from "../../../src/wording/sections/serving/throughput.ts"

const figure = (value: number, more: object = {}): Figure => ({ status: "known", value, n: 12, method: "x", ...more })

/** One variant's row by its columns, and what is said. */
function sectionOf(speed: object = {}) {
  const served = {
    report: {
      name: "int8",
      speed: { systemTokensPerSecond: figure(200), outputTokensPerSecond: { p50: figure(50) }, ...speed },
      tokens: { completion: figure(1234) },
      cost: { totalUsd: figure(0.0001574921) },
      text: { tokensPerAnswer: figure(10), o200kPerAnswer: figure(8.7654321) },
    },
    serving: { written: { tokens: 1234, milliseconds: 10_000, answers: 12 } },
    resources: null,
  }
  const section = throughputSection([served as unknown as ServedVariant])
  const { columns, rows } = section!.data as unknown as { columns: { title: string }[]; rows: unknown[][] }
  return {
    row: Object.fromEntries(columns.map(({ title }, i) => [title, rows[0]?.[i]])),
    said: section!.sentences?.join(" ") ?? "",
  }
}

describe("throughput of a run", () => {
  it("has no more digits of tokens for a dollar than a cost is known to", () => {
    const { row, said } = sectionOf()
    expect(said).toContain("and 7,840,000 tokens for a dollar.")
    expect(row["tokens per $"]).toMatchObject({ value: 7_840_000 })
    expect(row["tokens per $, o200k"]).toMatchObject({ value: 6_870_000 })
  })

  it("says of a user's tokens, too, that log-probabilities were asked for, which slow a server of one's own", () => {
    const { row } = sectionOf({ systemTokensPerSecond: figure(200, { withLogprobs: true }) })
    expect(row["tokens/s per user"]).toMatchObject({ value: 123.4, withLogprobs: true })
    expect(row["tokens/s per user, o200k"]).toMatchObject({ withLogprobs: true })
    expect(sectionOf().row["tokens/s per user"]).not.toHaveProperty("withLogprobs")
  })
})
