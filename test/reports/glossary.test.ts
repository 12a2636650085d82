import { describe, expect, it } from "vitest"
import { renderHtml } from "../../reports/export/html.ts"
import { reportGlossary } from "../../reports/page/glossary.ts"
import { loadReference } from "../../reports/page/reference.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const input = syntheticInput({ samples: 20 })
const { report } = input

describe("the words of a report", () => {
  it("are explained at the end of its page, and no others", async () => {
    const { html, anchors } = reportGlossary(report, await loadReference())
    for (const id of Object.values(anchors)) expect(html).toContain(`id="${id}"`)
    expect(html.match(/ id="word-[\w-]+"/g)?.length).toBe(new Set(Object.values(anchors)).size)
    expect(anchors.ttftMs).toBe("word-ttft")
    for (const { verdict } of report.comparisons) expect(anchors[verdict]).toBeDefined()
    const unused = { ...report, comparisons: [], decision: null, routers: [] } as RunReport
    expect(reportGlossary(unused, null).html).not.toMatch(/word-(?:swap|margin|cascade)"/)
  })

  it("explain a metric by the doc comment of the function that made it, and say where there is none", async () => {
    const metric = (name: string, signature: string) =>
      ({ ...report.metrics[0], name, signature }) as RunReport["metrics"][number]
    const own = { ...report, metrics: [metric("my match", "exactMatch|refs:any"), metric("own", "mine|v1")] }
    const { html } = reportGlossary(own, await loadReference())
    expect(html).toMatch(/my match<\/bdi><\/dt><dd>Exact match: 1 when the answer equals/)
    expect(html).toContain("Misleads where right answers have many wordings")
    expect(html).toContain("evalkit has no page about it. Signature: mine|v1")
  })

  it("cannot become markup, nor hit a word by the name of a member of objects", () => {
    const hostile = "<script>alert(1)</script>\u0007"
    const one = {
      ...report,
      metrics: [{ ...report.metrics[0], name: hostile, signature: `${hostile}|x` }],
    } as RunReport
    const { html, anchors } = reportGlossary(one, [])
    expect(html).not.toMatch(/<script|\u0007/)
    expect(Object.hasOwn(anchors, "constructor")).toBe(false)
  })

  it("are linked from where they stand, and take little room", async () => {
    let page = ""
    await renderHtml(input, (chunk) => {
      page += chunk
    })
    const targets = [...page.matchAll(/href="#(word-[\w-]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(5)
    for (const id of targets) expect(page).toContain(`id="${id}"`)
    expect(reportGlossary(report, await loadReference()).html.length).toBeLessThan(20_000)
  })
})
