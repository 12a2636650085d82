import { beforeAll, describe, expect, it } from "vitest"
import { variantColumns } from "../../reports/view-model/variant-columns.ts"
import { columnWords } from "../../reports/wording/column-words.ts"
import { findTerm } from "../../reports/wording/terms/all.ts"
import { verdictMeanings, verdictWords } from "../../reports/wording/verdict-words.ts"
import { main } from "../../src/cli/main.ts"
import type { Verdict } from "../../src/core/report/comparison.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { plainLines } from "../../src/words/text.ts"
import { fakeIo } from "../support/fake-io.ts"
import { ensurePage, pageOf } from "../support/page.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const input = syntheticInput({ samples: 20 })
const measured: Figure = { status: "known", value: 1, n: 20, method: "sum" }
const report: RunReport = {
  ...input.report,
  metrics: input.report.metrics.map((own, i) => (i === 0 ? { ...own, signature: "exactMatch|refs:any" } : own)),
  variants: input.report.variants.map((variant) => ({
    ...variant,
    resources: {
      ...variant.resources,
      joulesPerAnswer: measured,
      joulesPerCorrect: measured,
      electricityUsdPerAnswer: measured,
      gramsCo2PerAnswer: measured,
    },
  })),
}

beforeAll(ensurePage, 120_000)

/** What `evalkit explain NAME` prints. */
async function explained(name: string): Promise<string> {
  const io = fakeIo({ cwd: process.cwd() })
  expect(await main(["explain", name], io), name).toBe(0)
  return io.stdout()
}

const decoded = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
const bare = (text: string) => text.replace(/[`\s]+/g, "")

describe("what a page explains", () => {
  it("says of every word what evalkit explain prints", async () => {
    const html = await pageOf({ ...input, report })
    const items = [...html.matchAll(/<div id="word-([\w-]+)"><dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)]
    expect(items.length).toBeGreaterThan(20)
    for (const [, id = "", title = "", text = ""] of items) {
      if (id.startsWith("metric-")) continue
      const printed = await explained(id)
      expect(printed, id).toContain(`${decoded(title)} (`)
      expect(bare(printed), id).toContain(bare(decoded(text)))
    }
  })

  it("says of a metric what its reference page says", async () => {
    const html = await pageOf({ ...input, report })
    const text = /<div id="word-metric-0">.*?<dd>(.*?)<\/dd>/.exec(html)?.[1] ?? ""
    expect(text).toMatch(/^Exact match:/)
    expect(bare(await explained("exactMatch"))).toContain(bare(decoded(text)))
  })

  it("says of every column of figures what evalkit explain says of its name, and what its term says where it has one", async () => {
    const columns = variantColumns(report).filter(({ id }) => !report.metrics.some(({ name }) => name === id))
    expect(columns.length).toBeGreaterThan(10)
    const page = await pageOf({ ...input, report })
    for (const { id, title, explain } of columns) {
      const text = findTerm(id)?.text ?? columnWords[id as keyof typeof columnWords]
      expect(explain.startsWith(text), id).toBe(true)
      expect(bare(await explained(id)), id).toContain(bare(text))
      expect(decoded(page), title).toContain(plainLines(explain))
    }
    expect(columns.filter(({ id }) => findTerm(id) !== undefined).length).toBeGreaterThan(3)
  })

  it("says of a verdict what the word says", async () => {
    for (const verdict of Object.keys(verdictWords) as Verdict[])
      expect(bare(await explained(verdictWords[verdict]))).toContain(bare(verdictMeanings[verdict]))
  })
})
