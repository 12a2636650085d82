import { describe, expect, it } from "vitest"
import { conditions, paths, runSame } from "../../../benchmarks/same/runs.ts"

/** Claims of twenty runs: more than three have a chance of 2 % where 5 % is the rate. */
const mostClaims = 3

describe("twenty runs of two variants that are one", () => {
  it("hardly ever show a gain or grant a swap", { timeout: 600_000 }, async () => {
    const cells = paths.flatMap((path) => conditions.map((condition) => ({ path, condition })))
    const claims: string[] = []
    for (let run = 0; run < 20; run++) {
      const cell = cells[run % cells.length] as (typeof cells)[number]
      const { verdict, gains } = await runSame({ ...cell, seed: 100 + run })
      if (verdict === "swap" || gains.length > 0)
        claims.push(`${cell.path}, ${cell.condition}: ${verdict}, ${gains.join(" and ")}`)
    }
    expect(claims.length, claims.join("\n")).toBeLessThanOrEqual(mostClaims)
  })
})
