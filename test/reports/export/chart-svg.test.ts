import { Resvg } from "@resvg/resvg-js"
import { beforeAll, describe, expect, it } from "vitest"
import { chartNames, renderChartPng, renderChartSvg } from "../../../reports/export/chart-svg.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { sized } from "../../support/nightly.ts"
import { ensurePage } from "../../support/page.ts"
import { dealt, poisoned } from "../../support/poison.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { parseXml } from "../../support/xml.ts"

const { report } = syntheticInput({ samples: 700 })

describe("a chart on its own", () => {
  beforeAll(ensurePage)

  it.each(chartNames)("is well-formed XML with its colours inside: %s", async (name) => {
    const svg = await renderChartSvg(report, name)
    const root = parseXml(svg)
    expect(root.name).toBe("svg")
    expect(root.attributes.get("xmlns")).toBe("http://www.w3.org/2000/svg")
    expect(svg).not.toMatch(/var\(|style=|<script/)
  })

  it.each(chartNames)("is drawn on white: %s", async (name) => {
    const { pixels } = new Resvg(await renderChartSvg(report, name)).render()
    let dark = 0
    for (let at = 0; at < pixels.length; at += 4) if (Math.max(...pixels.subarray(at, at + 3)) < 64) dark++
    expect(dark / (pixels.length / 4)).toBeLessThan(0.1)
  })

  it("is the golden picture of the frontier", async () => {
    await expect(await renderChartSvg(report, "frontier")).toMatchFileSnapshot("../../golden/reports/frontier.svg")
  })

  it("becomes a PNG", async () => {
    const png = await renderChartPng(report, "frontier", 1)
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect(Buffer.from(png).readUInt32BE(16)).toBe(760)
  })

  it("stays well-formed whatever the names are", { timeout: 120_000 }, async () => {
    for (let deal = 0; deal < sized(12, 2); deal++)
      for (const name of chartNames) parseXml(await renderChartSvg(poisoned(report, dealt(hostileTexts, deal)), name))
  })

  it("names the charts that there are when a run has no such chart", async () => {
    const none = { ...report, comparisons: [] }
    await expect(renderChartSvg(none, "forest")).rejects.toThrow(/it has: frontier, (?!.*forest)/)
  })
})
