import { describe, expect, it } from "vitest"
import { applyOverrides } from "../../src/config/overrides.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { fakeMetric } from "./support.ts"

const wide = { ...fakeMetric("bleu"), range: [0, 100] as const }
const endless = { ...fakeMetric("perplexity"), range: [1, Number.POSITIVE_INFINITY] as const }
const metrics = [fakeMetric("exact"), wide, endless]
const own = "a metric of your own that goes further needs its range"

describe("margins and limits that no value of a metric can reach", () => {
  it.each([
    [
      { margin: 5 },
      `margin: expected less than 1, since exact goes from 0 to 1, got 5; for 5 points write 0.05; ${own}`,
    ],
    [{ margin: 1 }, "margin: expected less than 1, since exact goes from 0 to 1, got 1; for 1 point write 0.01;"],
    [{ margin: 100, primary: "bleu" }, "margin: expected less than 100, since bleu goes from 0 to 100, got 100"],
    [
      { gate: [{ figure: "exact", min: 80 }] },
      "gate[0].min: expected a limit that can be reached, since exact goes from 0 to 1, got 80; for 80 % write 0.8;",
    ],
    [
      { gate: [{ figure: "bleu", max: -1 }] },
      "gate[0].max: expected a limit that can be reached, since bleu goes from",
    ],
    [
      { gate: [{ figure: "exact", notWorseThanBaselineBy: 2 }] },
      "gate[0].notWorseThanBaselineBy: expected less than 1, since exact goes from 0 to 1, got 2; for 2 points write 0.02;",
    ],
    [{ constraints: ["quality >= 80"] }, "constraints[0]: expected a limit that can be reached, since exact goes"],
    [{ constraints: ["bleu >= 120"] }, "constraints[0]: expected a limit that can be reached, since bleu goes"],
  ])("are refused with what was probably meant: %#", async (fields, message) => {
    await expect(validateConfig({ metrics, ...fields })).rejects.toThrow(message)
  })

  it.each([
    { margin: 0.99 },
    { margin: 2, primary: "bleu" },
    { margin: 300, primary: "perplexity" },
    { gate: [{ figure: "exact", min: 0, max: 1 }], constraints: ["quality >= 80 %", "bleu >= 80"] },
    { gate: [{ figure: "ttftMs.p95", max: 800 }] },
  ])("are only those: %#", async (fields) => {
    await expect(validateConfig({ metrics, ...fields })).resolves.toBeDefined()
  })

  it("are refused on the command line, too", async () => {
    const evaluation = await validateConfig({ metrics })
    expect(() => applyOverrides(evaluation, { margin: 2 })).toThrow(
      "--margin: expected less than 1, since exact goes from 0 to 1, got 2; for 2 points write 0.02;",
    )
    expect(applyOverrides(evaluation, { margin: 0.1 }).margin).toBe(0.1)
  })
})
