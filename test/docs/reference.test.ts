import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { terms } from "../../reports/wording/terms/all.ts"
import { linkTargets, sitePage } from "../../scripts/docs/links.ts"
import { readPages } from "../../scripts/docs/pages.ts"
import { entryDetails } from "../../scripts/reference/details.ts"
import { readDocComment } from "../../scripts/reference/doc-comment.ts"
import { readEntries } from "../../scripts/reference/entries.ts"
import { metricFacts } from "../../scripts/reference/facts.ts"
import { entryFiles, groupFiles, publicNames } from "../../scripts/reference/public-names.ts"
import { referencePages } from "../../scripts/reference/site-pages.ts"
import { wordPages } from "../../scripts/reference/word-pages.ts"

import { presets } from "../../src/providers/presets.ts"

const root = new URL("../../", import.meta.url)
const facts = metricFacts(root)
const entries = readEntries(fileURLToPath(root), facts, entryDetails())
const site = referencePages(entries, [{ name: "run", describe: "ask", text: "# evalkit run\n" }])
const pages = new Map(site.sections.flatMap((section) => section.pages).map(({ path, text }) => [`/${path}`, text]))

/** How a page says that a figure may be misunderstood. */
const pitfall =
  /mislead|blind|does not|do not|cannot|not seen?\b|misses|rewards|unreliable|compare only|no better than|narrow range|weakness|not a measure|underestimates|overestimates|depends on|counts as|weaker|too large|penalises|falls as|only for|made for|a hint/i
const source = /Papers?:|Sources?:|Equal to|\b(?:1[89]|20)\d\d\b|Ragas|own definition|fairlearn|evalkit.s own/
/** Metrics that a user writes: their worked numbers are the user's. */
const made: ReadonlySet<string> = new Set(["custom", "meanMetric", "detectorMetric"])

describe("the reference", () => {
  it("has a page for every public name", () => {
    const names = [...entryFiles().values()].flatMap((file) => [...publicNames(file).keys()])
    const inGroups = [...entryFiles().values()].flatMap(groupFiles).flatMap((file) => [...publicNames(file).keys()])
    expect(names.length).toBeGreaterThan(1000)
    expect(inGroups.length).toBeGreaterThan(30)
    expect(names.filter((name) => !pages.has(site.pageOf(name)?.split("#")[0] ?? ""))).toEqual([])
    for (const name of names) {
      const [page = "", anchor] = (site.pageOf(name) ?? "").split("#")
      expect(pages.get(page), name).toContain(anchor === undefined ? `# ${name}` : `{#${anchor}}`)
    }
  })

  it("has a page of its own for every metric of the catalogue, with range, direction, unit and signature", () => {
    for (const [name, { signature }] of facts) {
      const entry = entries.find((item) => item.name === name)
      expect(entry?.facts?.signature, name).toBe(signature)
      const page = pages.get(`/reference/${entry?.kind}s/${name}.md`)
      expect(page, name).toContain(`Signature of an example: \`${signature}\``)
      // Of a metric that wraps another, and of a learnt one, they are the other's.
      if (!/Range(?:, | and )direction|Range: the model/.test(page ?? ""))
        expect(page, name).toContain("| range | better | unit |")
      // What a page of a metric is for: what it measures, and a word on its range.
      expect(entry?.text.length, name).toBeGreaterThan(60)
    }
  })

  it("says of every metric and judge its range, when it misleads, and where it is from, with a worked number", () => {
    const faults = entries.flatMap(({ name, kind, text, facts: own, examples }) => {
      if (!own || made.has(name) || (kind !== "metric" && kind !== "judge")) return []
      return [
        ...(/\bRange\b/.test(text) ? [] : [`${name}: no range`]),
        ...(pitfall.test(text) ? [] : [`${name}: not when it misleads`]),
        ...(source.test(text) ? [] : [`${name}: no source`]),
        ...(examples.some((code) => /\/\/ .*\d/.test(code)) ? [] : [`${name}: no worked number`]),
      ]
    })
    expect(faults).toEqual([])
  })

  it("says of every rubric its verdicts with their scores, and of every preset its address, key and documentation", () => {
    const documented = entries.filter(({ kind, details }) => kind === "rubric" && details !== undefined)
    expect(documented.length).toBeGreaterThan(20)
    for (const { details, name } of documented)
      expect(details, name).toMatch(/\| verdict \| score \| when \|[\s\S]*Range [-\d]+ to \d/)
    for (const name of Object.keys(presets))
      expect(pages.get(`/reference/providers/${name}.md`), name).toMatch(
        /\| address \| `https?:.*[\s\S]*documentation \| <https:/,
      )
  })

  it("has a page for every field of a config and of a report", () => {
    for (const name of ["config.margin", "config.metrics", "variant.provider", "report.variants", "report.decision"])
      expect(pages.get(site.pageOf(name) ?? ""), name).toContain(`# ${name}`)
    const [fields] = entries.filter(({ name }) => name === "report.variants")
    expect(fields?.options.map(({ name }) => name)).toEqual(expect.arrayContaining(["speed.ttftMs", "quality.figure"]))
  })

  it("says of every figure of a variant what it is", () => {
    const [variants] = entries.filter(({ name }) => name === "report.variants")
    const figures = (variants?.options ?? []).filter(
      ({ name, type }) =>
        /^(?:cost|reliability|resources|speed|text|tokens)\.\w+$/.test(name) && /^(?:Figure|Distribution)$/.test(type),
    )
    expect(figures.length).toBeGreaterThan(45)
    expect(figures.filter(({ text }) => text === "").map(({ name }) => name)).toEqual([])
  })

  it("has a place for every word that evalkit explains, and leads from a code to it", () => {
    const { placeOf } = wordPages()
    for (const term of terms) {
      const [page = "", anchor] = placeOf(term).split("#")
      expect(pages.get(page), term.id).toContain(`{#${anchor}}`)
      expect(pages.get(page), term.id).toContain(term.text)
    }
    expect(site.pageOf("http_5xx")).toBe("/reference/outcomes.md#http_5xx")
    expect(site.pageOf("no_reference")).toBe("/reference/unscored.md#unscored-no_reference")
    expect(site.pageOf("empty")).toBe("/reference/outcomes.md#empty")
    expect(site.pageOf("margin")).toBeUndefined()
  })

  it("links to pages that exist, also where a page of the site names something in code", () => {
    const names = new Set([...pages.keys(), ...readPages(fileURLToPath(root)).map(({ path }) => `/docs/${path}`)])
    const faults = [...pages].flatMap(([path, text]) =>
      linkTargets(sitePage(path.slice(1), text, site.pageOf).text).flatMap((target) => {
        const [file = ""] = target.split("#")
        if (/^(?:https?:|#)/.test(target)) return []
        const at = file.startsWith("/") ? file : posix.join(posix.dirname(path), file)
        return names.has(at) || at.startsWith("/reference/commands/") ? [] : [`${path}: ${target}`]
      }),
    )
    expect(faults).toEqual([])
  })

  it("reads a doc comment: paragraphs, lists, examples, what is thrown", () => {
    const comment =
      '/**\n * What {@link it} is,\n * in two lines.\n *\n * - a\n * - b\n *\n * @throws {UsageError} for {x}\n * @example\n * // output "a"\n * it() // 1\n * @public\n */\n'
    expect(readDocComment(comment)).toEqual({
      text: "What `it` is, in two lines.\n\n- a\n- b",
      examples: ['// output "a"\nit() // 1'],
      throws: ["`UsageError` for {x}"],
      parameters: [],
      returns: null,
    })
  })
})
