import { describe, expect, it } from "vitest"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import type { Figure } from "../../../src/core/report/figure.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const options = { columns: 120, color: false, unicode: true }
const ms = (value: number): Figure => ({
  status: "known",
  value,
  n: 1,
  method: "start of the server until it was ready",
})
const elsewhere: Figure = { status: "unknown", reason: "the service runs elsewhere" }

function summary(loads: readonly Figure[], columns = 120): string {
  const variants = report.variants.map((variant, i) => ({
    ...variant,
    resources: { ...variant.resources, loadMs: loads[i] ?? elsewhere },
  }))
  return renderTerminal({ ...report, variants }, { ...options, columns })
}

describe("the cold start in a summary", () => {
  it("is one line of the variants that took over a second to load, the slowest first", () => {
    const [first = "", second = "", third = ""] = report.variants.map(({ name }) => name)
    const lines = summary([ms(1_500), ms(900), ms(12_000)])
      .split("\n")
      .filter((line) => line.includes("cold start, until"))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`ready: ${third} 12(?:\\.0)? s . ${first} 1\\.5 s$`))
    expect(lines[0]).not.toContain(second)
  })

  it("is nothing of services that run elsewhere, and of loads that nobody waits for", () => {
    expect(summary([])).not.toContain("cold start, until")
    expect(summary([ms(1_000), ms(0)])).not.toContain("cold start, until")
  })

  it("keeps to the width", () => {
    const lines = summary(
      report.variants.map((_, i) => ms(2_000 + i)),
      60,
    ).split("\n")
    for (const line of lines.filter((text) => text.includes("cold start, until"))) expect(line.length).toBeLessThan(60)
  })
})
