import { describe, expect, it } from "vitest"
import { changeOf } from "../../reports/view/change.ts"
import { comparePage } from "../../reports/view/compare-page.ts"
import { livePage } from "../../reports/view/live-page.ts"
import { runsPage } from "../../reports/view/runs-page.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { hostileTexts } from "../support/hostile-texts.ts"
import { poisoned } from "../support/poison.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })

function recordOf({ run, dataset, metrics, variants }: RunReport): RunRecord {
  const rest = { margin: 0.01, alpha: 0.05, baseline: null, configPath: null, plan: "" }
  return { ...run, ...rest, dataset, metrics, variants: variants.map((variant) => ({ ...variant, priceSource: null })) }
}

function known(value: number, half: number): Figure {
  return { status: "known", value, low: value - half, high: value + half, n: 100, method: "mean" }
}

const live = {
  finished: 3,
  failure: null,
  failed: 1,
  e2eMs: known(12, 2),
  perThousandUsd: known(0.4, 0.1),
  quality: { status: "unknown", reason: "scored after the last answer" } as Figure,
}

describe("the pages around the reports", () => {
  it("hold no element that a text brought", () => {
    const allowed =
      /<\/?(?:!doctype html|html|head|meta|link|title|style|body|main|section|h1|p|a|small|div|table|thead|tbody|tr|th|td|span|br|form|label|select|option|button|progress|script>setInterval|\/script)\b/g
    for (const payload of hostileTexts) {
      const hostile = poisoned(report, payload)
      const record = recordOf(hostile)
      const pages = [
        runsPage(
          [
            { record, report: hostile },
            { record, report: null },
          ],
          "x{}",
        ),
        comparePage(report, hostile, "x{}"),
        livePage(
          record,
          [
            { ...live, name: payload, failure: payload },
            { ...live, name: payload, e2eMs: { status: "unknown", reason: payload } },
          ],
          "x{}",
        ),
      ]
      for (const { html } of pages) {
        expect(html.replace(allowed, "")).not.toMatch(/<[a-z!/]/i)
      }
    }
  })

  it("show how far a run is, with the intervals of what is known so far", () => {
    const { html } = livePage({ ...recordOf(report), status: "running" }, [{ ...live, name: "m-q8_0" }], "")
    expect(html).toContain("3 of 60")
    expect(html).toContain("12.0 ms ±2.00 ms <small>n = 100</small>")
    expect(html).toContain("scored after the last answer")
  })

  it("show an arrow only on evidence, and which way is good", () => {
    expect(changeOf(known(0.8, 0.02), known(0.81, 0.02), "maximize")).toEqual({
      arrow: "→",
      evident: false,
      good: null,
    })
    expect(changeOf(known(0.8, 0.02), known(0.9, 0.02), "maximize")).toEqual({ arrow: "↗", evident: true, good: true })
    expect(changeOf(known(10, 1), known(20, 1), "minimize")).toEqual({ arrow: "↗", evident: true, good: false })
    expect(changeOf(known(10, 1), { status: "unknown", reason: "no price" }, "minimize")).toBeNull()
  })

  it("warn when two runs used different data sets or share no variant", () => {
    const other = { ...report, dataset: { ...report.dataset, fingerprint: "other" }, variants: [] }
    const { html } = comparePage(other, report, "")
    expect(html).toContain("different data sets")
    expect(html).toContain("no variant in common")
  })
})
