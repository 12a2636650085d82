import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { variantColumns } from "../../reports/export/columns.ts"
import { plainLines } from "../../src/words/text.ts"
import { findTerm, type Term } from "../../reports/wording/terms/all.ts"
import { verdictMeanings, verdictWords } from "../../reports/wording/verdict-words.ts"
import { main } from "../../src/cli/main.ts"
import type { Verdict } from "../../src/core/report/comparison.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { fakeIo } from "../support/fake-io.ts"
import { ensurePage, pageOf } from "../support/page.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const input = syntheticInput({ samples: 20 })
const measured: Figure = { status: "known", value: 1, n: 20, method: "sum" }
const report: RunReport = {
  ...input.report,
  metrics: input.report.metrics.map((one, i) => (i === 0 ? { ...one, signature: "exactMatch|refs:any" } : one)),
  variants: input.report.variants.map((one) => ({
    ...one,
    resources: {
      ...one.resources,
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

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = [
  "src/analyse/sections",
  "src/run",
  "src/calls",
  "src/pipeline",
  "metrics",
  "judges",
  "reports/wording",
  "reports/app",
]

const unescaped = (text: string) =>
  text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Every text in the sources that one of these patterns finds, with `x` for what is filled in. */
function texts(...patterns: readonly RegExp[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const folder of sources)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((one) =>
      /\.tsx?$/.test(one),
    )) {
      const source = readFileSync(join(root, folder, name), "utf8")
      for (const pattern of patterns)
        for (const [, , text = ""] of source.matchAll(pattern))
          found.set(unescaped(text.replace(/\$\{[^}]*\}/g, "x")), join(folder, name))
    }
  return found
}

describe("what a page explains", () => {
  it("has a word for every column of every section\u2019s table, and for every title of a section", () => {
    const found = texts(
      // A column of a table: { title: "…" } with a unit or without; parts of a judge's prompt have a text.
      /\{ title: (["`])([^"`]*)\1(?:, unit: [^}]*)?(?: \}|,\s*\.\.\.)/g,
      /reportSection\(\s*"\w+",\s*(["`])(.*?)\1/g,
      /^ {4,6}title: (["`])(.*?)\1,\n {4,6}sentences/gm,
      /<Heading title=(["`])(.*?)\1/g,
      /<(?:Section|Part)\s+(?:id="\w+"\s+)?title=(["`])(.*?)\1/g,
    )
    expect(found.size).toBeGreaterThan(200)
    // These are headed by a word of their own: the setting that was swept, the metric of a slice.
    const named = new Set(["x by x", "x, x"])
    const unexplained = [...found].filter(
      ([text]) =>
        !named.has(text) && findTerm(text) === undefined && findTerm(text.replace(/, [^,]*$/, "")) === undefined,
    )
    expect(unexplained).toEqual([])
  })

  it("has a word for every figure of a judge\u2019s card", () => {
    const card = readFileSync(join(root, "src/analyse/judge-validation/card.ts"), "utf8")
    const figures = card.slice(card.indexOf("    figures: {"))
    const names = [...figures.matchAll(/^ {6,8}"?([a-z][\w, -]*?)"?: /gm)].map(([, name = ""]) => name)
    expect(names.length).toBeGreaterThan(15)
    expect(
      names.filter((name) => !/^(status|value|method)$/.test(name) && findTerm(name, "judge_card") === undefined),
    ).toEqual([])
    expect(findTerm("length slope per 100 characters")?.id).toBe("length-slope")
  })

  it("says of every word what evalkit explain prints", async () => {
    const html = await pageOf({ ...input, report })
    const items = [...html.matchAll(/<div id="word-([\w-]+)"><dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)]
    expect(items.length).toBeGreaterThan(100)
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

  it("says of every column of figures what the word of its name says", async () => {
    const columns = variantColumns(report).filter(({ id }) => !report.metrics.some(({ name }) => name === id))
    expect(columns.length).toBeGreaterThan(10)
    const page = await pageOf({ ...input, report })
    for (const { id, title, explain } of columns) {
      const term = findTerm(id) as Term
      expect(term, `no word explains the column ${id}`).toBeDefined()
      expect(explain.startsWith(term.text), id).toBe(true)
      expect(bare(await explained(id)), id).toContain(bare(term.text))
      expect(decoded(page), title).toContain(plainLines(explain))
    }
  })

  it("says of a verdict what the word says", async () => {
    for (const verdict of Object.keys(verdictWords) as Verdict[])
      expect(bare(await explained(verdictWords[verdict]))).toContain(bare(verdictMeanings[verdict]))
  })
})
