import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/commands/plan.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()
for (const [name, every] of [
  ["a", 5],
  ["b", 4],
] as const)
  writeFileSync(
    join(folder, `${name}.jsonl`),
    Array.from({ length: 60 }, (_, i) =>
      JSON.stringify({ id: `s${i % 30}`, correct: i % every !== 0, points: i % every !== 0 ? 10 : 3 }),
    ).join("\n"),
  )

async function plan(args: Record<string, unknown>) {
  const io = fakeIo({ cwd: folder })
  await command.run({ alpha: 0.05, power: 0.8, json: true, ...args }, io)
  return io.stdout()
}

describe("evalkit plan", () => {
  it("says how many samples and dollars a difference needs", async () => {
    const printed = await plan({ difference: 0.5, sd: 1, cost: 2, json: false })
    expect(printed).toContain("32 samples find a gain of 0.5 in 80 % of runs, about 64 USD.")
    expect(printed).toContain('25 samples show "not worse by more than 0.5" in 80 % of runs')
  })
  it("promises the power of the rule that decides", async () => {
    const result = JSON.parse(await plan({ difference: 0.05, flips: 0.1 }))
    expect(result.simulated).toBe(true)
    expect(result.powerToHold).toBeGreaterThan(0.77)
    expect(result.powerToHold).toBeLessThan(0.83)
    expect(result.curve[0]).toEqual({
      samples: expect.any(Number),
      power: expect.any(Number),
      hold: expect.any(Number),
    })
    expect(result).not.toHaveProperty("population")
  })
  it("reads the deviation and the share within samples from a pilot with repeats", async () => {
    const { deviation, withinShare, basis, repeats } = JSON.parse(
      await plan({ difference: 0.02, pilot: ["a.jsonl,b.jsonl"], on: "correct" }),
    )
    expect(deviation).toBeGreaterThan(0.2)
    expect(withinShare).toBeGreaterThan(0)
    expect(repeats).toHaveLength(4)
    expect(basis).toContain("a pilot of 30 pairs on correct")
  })
  it("says that two fields of a pilot tell the same", async () => {
    const args = { difference: 0.02, pilot: ["a.jsonl,b.jsonl"], on: ["correct", "points"] }
    const { metricAdvice } = JSON.parse(await plan(args))
    expect(metricAdvice).toEqual([expect.objectContaining({ kind: "redundant", metrics: ["correct", "points"] })])
    expect(await plan({ ...args, json: false })).toContain("rank the 60 answers of the pilot alike (Spearman 1).")
    expect(JSON.parse(await plan({ ...args, on: "correct" }))).not.toHaveProperty("metricAdvice")
  })
  it("says what is wrong and what to do", async () => {
    await expect(plan({ difference: 0.02 })).rejects.toThrow(/one of --sd, --flips and --pilot/)
    await expect(plan({ difference: 0.2, flips: 0.1 })).rejects.toThrow(/between the difference and 1/)
    await expect(plan({ difference: 5, flips: 0.1 })).rejects.toThrow(
      /: --flips 0\.1 --difference 5; a difference of 5 points is --difference 0\.05$/,
    )
    await expect(plan({ difference: 0, sd: 1 })).rejects.toThrow(/--difference must be a number above 0/)
    await expect(plan({ difference: 0.1, pilot: ["a.jsonl"] })).rejects.toThrow(/a pilot is two files/)
    await expect(plan({ difference: 0.1, pilot: ["a.jsonl,a.jsonl"] })).rejects.toThrow(
      /the pilot has no difference at all/,
    )
  })
})
