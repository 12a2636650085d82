import type { RunReport } from "../../src/core/report/report.ts"
import { variantColumns } from "../export/columns.ts"
import { escaped } from "../format/escape.ts"
import { plainLines } from "../format/text.ts"
import { findTerm, type Term, terms } from "../wording/terms.ts"
import { verdictWords } from "../wording/verdict-words.ts"
import type { ReferencePage } from "./reference.ts"

/** The words of one report, explained at the end of its page. */
export interface Glossary {
  readonly html: string
  /** Where a word is explained, by what the page calls it (a column's id, a metric's name, a verdict): the anchor's id. */
  readonly anchors: Readonly<Record<string, string>>
}

/** Words that every report with more than one variant uses. */
const always = ["baseline", "variant", "interval", "percentile", "frontier", "dominated", "unknown", "client-error"]

/**
 * Explains the words that a report uses, and no others: its verdicts, columns and metrics.
 *
 * @param reference pages made from doc comments; null where they were not built: metrics are then not explained
 */
export function reportGlossary(report: RunReport, reference: readonly ReferencePage[] | null): Glossary {
  const anchors: Record<string, string> = {}
  const used = new Map<string, Term>()
  const use = (name: string, as = name) => {
    const term = findTerm(name)
    if (term === undefined) return
    used.set(term.id, term)
    anchors[as] = `word-${term.id}`
  }
  for (const id of always) use(id)
  for (const { verdict } of [...report.comparisons, ...(report.decision ? [report.decision] : [])])
    use(verdictWords[verdict], verdict)
  if (report.comparisons.length > 0) for (const id of ["margin", "pairs"]) use(id)
  for (const column of variantColumns(report)) use(column.id)
  if (report.variants.some(({ quality }) => quality.some(({ scored, total }) => scored < total))) use("unscored")
  if (report.variants.some(({ speed }) => speed.replayed > 0)) use("replayed")
  if (report.routers.length > 0) use("cascade")
  const metrics = report.metrics.map(({ name, signature }, i) => {
    anchors[name] = `word-metric-${i}`
    return item(`word-metric-${i}`, name, aboutMetric(signature, reference))
  })
  const words = terms
    .filter(({ id }) => used.has(id))
    .map(({ id, title, text, note }) => item(`word-${id}`, title, note ? `${text} ${note}` : text))
  const html = [
    '<aside id="words" class="words" aria-labelledby="words-title">',
    '<h2 id="words-title">Words, explained</h2>',
    `<dl class="glossary">${metrics.join("")}${words.join("")}</dl>`,
    "</aside>",
  ].join("\n")
  return { html: `${html}\n`, anchors }
}

/** The first paragraphs of the page about the function that made a metric; its signature begins with the function's name. */
function aboutMetric(signature: string, reference: readonly ReferencePage[] | null): string {
  const factory = signature.split("|")[0] ?? ""
  const name = factory.startsWith("judge:") ? factory.slice("judge:".length) : factory
  const page = reference?.find((one) => one.name === name && (one.kind === "metric" || one.kind === "judge"))
  if (page === undefined)
    return `A metric of this run\u2019s config; evalkit has no page about it. Signature: ${signature}`
  const paragraphs = page.text.split("\n\n").slice(1)
  const end = paragraphs.findIndex((one) => /^[|#`~]/.test(one))
  return paragraphs
    .slice(0, end < 0 ? 2 : end)
    .join(" ")
    .replaceAll("`", "")
}

function item(id: string, title: string, text: string): string {
  const shown = (foreign: string, limit: number) => escaped(plainLines(foreign).slice(0, limit))
  return `<div id="${id}"><dt><bdi>${shown(title, 80)}</bdi></dt><dd>${shown(text, 1200)}</dd></div>`
}
