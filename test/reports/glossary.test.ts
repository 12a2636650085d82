import { describe, expect, it } from "vitest"
import { answerPerplexity } from "../../metrics/perplexity/answer-perplexity.ts"
import { perplexity } from "../../metrics/perplexity/perplexity.ts"
import { renderHtml } from "../../reports/export/html.ts"
import { reportGlossary } from "../../reports/page/glossary.ts"
import { loadReference } from "../../reports/page/reference.ts"
import { wordsOf } from "../../reports/page/words.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const input = syntheticInput({ samples: 20 })
const { report } = input

describe("the words of a report", () => {
  it("mean in a place what they mean there, and nothing where they mean something elsewhere only", () => {
    const { find, anchors } = reportGlossary(report, null)
    expect(find("verdict")?.anchor).toBe("word-verdict")
    expect(find("better", "metric")?.anchor).toBe("word-better")
    expect(find("better")).toBeUndefined()
    expect(find("failed", "bench")).toBeUndefined()
    expect(find("ttft, m-f16")?.anchor).toBe("word-ttft")
    const inBrowser = wordsOf(anchors())
    expect(inBrowser("better", "metric")?.anchor).toBe("word-better")
    expect(inBrowser("verdict", "elsewhere")?.anchor).toBe("word-verdict")
  })

  it("are terms of the field: a heading that is none has no explanation", () => {
    const { find } = reportGlossary(report, null)
    for (const heading of [
      "TTFT p50/p99",
      "goodput, requests/s",
      "p (Holm)",
      "ECE",
      "95 % interval",
      "Cohen\u2019s kappa",
    ])
      expect(find(heading), heading).toBeDefined()
    for (const heading of ["samples, for example", "Head to head", "of which reasoning"])
      expect(find(heading), heading).toBeUndefined()
  })

  it("are explained at the end of its page, and no others", async () => {
    const glossary = reportGlossary(report, await loadReference())
    expect(glossary.find("swap")).toEqual({ anchor: "word-swap" })
    const [html, anchors] = [glossary.html(), glossary.anchors()]
    for (const id of Object.values(anchors)) expect(html).toContain(`id="${id}"`)
    expect(html.match(/ id="word-[\w-]+"/g)?.length).toBe(new Set(Object.values(anchors)).size)
    expect(anchors.ttftMs).toBe("word-ttft")
    expect(html).toMatch(/word-swap"/)
    expect(html).not.toMatch(/word-(?:keep|margin|cascade)"/)
  })

  it("explain a metric by the doc comment of the function that made it, and say where there is none", async () => {
    const metric = (name: string, signature: string) =>
      ({ ...report.metrics[0], name, signature }) as RunReport["metrics"][number]
    const own = { ...report, metrics: [metric("my match", "exactMatch|refs:any"), metric("own", "mine|v1")] }
    const glossary = reportGlossary(own, await loadReference())
    expect(glossary.find("own")).toEqual({ anchor: "word-metric-1" })
    const html = glossary.html()
    expect(html).toMatch(/my match<\/bdi><\/dt><dd>Exact match: 1 when the answer equals/)
    expect(html).toContain("Misleads where right answers have many wordings")
    expect(html).toContain("evalkit has no page about it. Signature: mine|v1")
  })

  it("tell functions apart whose signatures begin alike", async () => {
    const metrics = [perplexity(), answerPerplexity()].map(
      ({ name, signature }) => ({ ...report.metrics[0], name, signature }) as RunReport["metrics"][number],
    )
    const glossary = reportGlossary({ ...report, metrics }, await loadReference())
    for (const { name } of metrics) glossary.find(name)
    const texts = [...glossary.html().matchAll(/word-metric-\d+"><dt>.*?<dd>(.*?)<\/dd>/g)].map(([, text]) => text)
    expect(texts).toHaveLength(2)
    expect(texts[0]).toMatch(/given texts|data set/i)
    expect(texts[1]).toMatch(/^Perplexity of the model(?:'|&#39;)s own answers/)
  })

  it("cannot become markup, nor hit a word by the name of a member of objects", () => {
    const hostile = "<script>alert(1)</script>\u0007"
    const entry = {
      ...report,
      metrics: [{ ...report.metrics[0], name: hostile, signature: `${hostile}|x` }],
    } as RunReport
    const glossary = reportGlossary(entry, [])
    expect(glossary.find(hostile)).toEqual({ anchor: "word-metric-0" })
    expect(glossary.html()).not.toMatch(/<script|\u0007/)
    expect(glossary.find("constructor")).toBeUndefined()
    expect(wordsOf(glossary.anchors())("constructor")).toBeUndefined()
  })

  it("are linked from where they stand, and take little room", async () => {
    let page = ""
    await renderHtml(input, (chunk) => {
      page += chunk
    })
    const targets = [...page.matchAll(/href="#(word-[\w-]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(5)
    for (const id of targets) expect(page).toContain(`id="${id}"`)
    // A page with a section of every kind.
    expect(/<aside id="words"[\s\S]*?<\/aside>/.exec(page)?.[0].length).toBeLessThan(40_000)
  })
})
