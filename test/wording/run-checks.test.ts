import { describe, expect, it } from "vitest"
import { groundLines } from "../../reports/terminal/findings.ts"
import { terminalScreen } from "../../reports/terminal/style.ts"
import type { Check } from "../../src/core/report/report.ts"
import { clientErrorCheck } from "../../src/estimate/client-error.ts"
import type { ClientError } from "../../src/perf/client/self-calibration.ts"
import { runChecks } from "../../src/wording/run-checks.ts"
import { impossibleCountsNote } from "../../src/words/impossible-counts.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 100 })
const [first] = report.variants

describe("the checks of a run", () => {
  const keptUp = (stalled: number): Check | undefined => {
    const entry = { ...first!, finished: 100, planned: 100, speed: { ...first!.speed, stalled } }
    return runChecks([entry], []).find(({ name }) => name === "this machine kept up with the answers")
  }

  it("do not fail because all answers are the same, which may be what was hoped for", () => {
    const [comparison] = report.comparisons
    const identity = { compared: 60, identical: 60, warning: "60 of 60 answers are identical" }
    const check = runChecks(report.variants, [{ ...comparison!, identity }]).at(-1)
    expect(check).toMatchObject({ status: "unknown", message: identity.warning })
    expect(runChecks(report.variants, report.comparisons).at(-1)).toMatchObject({ status: "passed" })
  })

  it("doubt latencies where so many are left out that the rest may be others, and only there", () => {
    expect(keptUp(6)).toMatchObject({ status: "failed", message: expect.stringContaining("6 of") })
    expect(keptUp(5)).toMatchObject({ status: "passed", message: expect.stringContaining("5 of") })
    expect(keptUp(0)).toMatchObject({ status: "passed", message: "the process that measured never stood still" })
  })

  it("fail where a secret was taken out of answers, which are scored without it", () => {
    const whole = ({ redactedAnswers }: { redactedAnswers?: number }) =>
      runChecks([{ ...first!, ...(redactedAnswers && { redactedAnswers }) }], []).find(
        ({ name }) => name === "answers are scored as they came",
      )
    expect(whole({})).toBeUndefined()
    expect(whole({ redactedAnswers: 3 })).toMatchObject({
      status: "failed",
      message: expect.stringContaining(": 3 of"),
    })
  })

  it("stand beside token counts that cannot be true, which the terminal tells", () => {
    const notes = [impossibleCountsNote(["completion tokens"]), "seed: left out"]
    const options = { columns: 200, color: false, unicode: true }
    const variants = report.variants.map((variant, i) => (i === 0 ? { ...variant, notes } : variant))
    const shown = groundLines({ ...report, variants }, terminalScreen(options)).join("\n")
    expect(shown).toContain(`${first?.name}: usage: counts that cannot be true were reported (completion tokens)`)
    expect(shown).not.toContain("seed: left out")
  })

  it("state evalkit's own timing error in the terminal as it was measured", () => {
    const load = { eventLoopUtilisation: 0.06, eventLoopDelayMsP99: 1, gcMs: 0, involuntaryContextSwitches: null }
    const error = { ttftMsP50: 0.2, ttftMsP99: 1, itlMsP50: 0.02, itlMsP99: 0.1, load } as unknown as ClientError
    const check = clientErrorCheck(error, { variants: [], gate: [], constraints: [] }) as Check
    const options = { columns: 100, color: false, unicode: true }
    const shown = (checks: readonly Check[]) => groundLines({ ...report, checks }, terminalScreen(options)).join("\n")
    expect(shown([check])).toContain("client error: TTFT ±0.20 ms, ITL ±20 µs")
    expect(shown([])).toContain("client error: unknown")
  })
})
