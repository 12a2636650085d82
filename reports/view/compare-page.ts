import type { Comparison } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { figureCell } from "../../src/words/figure.ts"
import { count } from "../../src/words/number.ts"
import { type VariantColumn, variantColumns } from "../view-model/variant-columns.ts"
import { type Difference, differenceWords } from "../wording/difference-words.ts"
import { verdictWords } from "../wording/verdict-words.ts"
import { changeOf } from "./change.ts"
import { html, namesHtml, type PlainDocument, pathPart, plainDocument, type ViewAssets } from "./document.ts"
import { arrow } from "./runs-page.ts"

/** Something that two runs did not have in common. */
interface ShownDifference extends Difference {
  readonly before: string | null
  readonly after: string | null
}

/** One row of the paired comparison: texts as `evalkit compare` prints them. */
export interface ComparisonTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** One side: a variant of a run, and what its run asked. */
export interface ComparedSide {
  readonly record: RunRecord
  readonly variant: string
  /** Null where the run has none yet. */
  readonly report: RunReport | null
  /** Its start as a clock shows it. */
  readonly started: string
}

/** What a page of two runs shows. */
export interface TwoRuns {
  readonly a: ComparedSide
  readonly b: ComparedSide
  /** Null with the reason where the two cannot be compared. */
  readonly comparison: {
    readonly found: Comparison
    readonly table: ComparisonTable
    readonly notes: readonly string[]
  } | null
  readonly refused: string
  readonly differences: readonly ShownDifference[]
}

/** Two runs: the verdict paired by sample, as `evalkit compare` gives it, their figures side by side, and what they asked differently. */
export function comparePage({ a, b, comparison, refused, differences }: TwoRuns, assets: ViewAssets): PlainDocument {
  const title = a.record.name === b.record.name ? a.record.name : `${a.record.name} and ${b.record.name}`
  const verdict = comparison?.found.verdict
  const body = [
    `<section><h1>${html(title, 80)}: ${html(a.record.id, 40)} and ${html(b.record.id, 40)}</h1>`,
    chooser(a, b),
    comparison && verdict
      ? `<p><span class="verdict ${verdict}">${verdictWords[verdict]}</span> <span class="foreign">${namesHtml(comparison.found.sentence, 2000)}</span></p>${pairedTable(comparison.table)}${notes(comparison.notes)}`
      : `<p class="doubt">${namesHtml(refused, 1000)}</p>`,
    `<p class="legend">The same in a terminal: <code>evalkit compare ${html(`${a.record.id}:${a.variant} ${b.record.id}:${b.variant}`, 300)}</code></p></section>`,
    a.report && b.report ? figures(a, b, a.report, b.report) : "",
    changed(differences, a, b),
  ]
  return plainDocument({ title: `evalkit: ${a.record.id} and ${b.record.id}`, body: body.join("") }, assets)
}

function chooser(a: ComparedSide, b: ComparedSide): string {
  const select = (name: string, { record, variant, started }: ComparedSide, words: string) =>
    `<label class="choice"><span>${words}: run ${html(record.id, 40)}, ${html(started)}</span><select name="${name}">${record.variants.map((variantRecord) => `<option value="${html(variantRecord.name, 200)}"${variantRecord.name === variant ? " selected" : ""}>${html(variantRecord.name, 60)}</option>`).join("")}</select></label>`
  return `<form class="controls" action="/compare" method="get"><input type="hidden" name="a" value="${html(a.record.id, 200)}"><input type="hidden" name="b" value="${html(b.record.id, 200)}">${select("va", a, "A")}${select("vb", b, "B")}<button type="submit">compare</button><a href="/compare?a=${pathPart(b.record.id)}&amp;b=${pathPart(a.record.id)}&amp;va=${pathPart(b.variant)}&amp;vb=${pathPart(a.variant)}">the other way round</a></form>`
}

function pairedTable({ header, rows }: ComparisonTable): string {
  if (rows.length === 0) return ""
  const head = header.map((cell) => `<th scope="col">${namesHtml(cell, 80)}</th>`).join("")
  const lines = rows.map(
    ([name = "", ...cells]) =>
      `<tr><th scope="row">${html(name, 80)}</th>${cells.map((cell) => `<td>${html(cell, 80)}</td>`).join("")}</tr>`,
  )
  return `<div class="table-frame" tabindex="0" role="region" aria-label="paired by sample"><table><thead><tr>${head}</tr></thead><tbody>${lines.join("")}</tbody></table></div><p class="legend">* decides. Differences are B \u2212 A, paired by sample.</p>`
}

function notes(lines: readonly string[]): string {
  return lines.map((line) => `<p class="note foreign">${html(line, 600)}</p>`).join("")
}

function figures(a: ComparedSide, b: ComparedSide, before: RunReport, after: RunReport): string {
  const old = before.variants.find(({ name }) => name === a.variant)
  const now = after.variants.find(({ name }) => name === b.variant)
  if (!old || !now) return ""
  // A metric of one run alone has its row, too.
  const isOf = ({ metrics }: RunReport, { id }: VariantColumn) => metrics.some(({ name }) => name === id)
  const columns = [
    ...variantColumns(before).filter((variantColumn) => isOf(before, variantColumn) && !isOf(after, variantColumn)),
    ...variantColumns(after),
  ]
  const rows = columns.map((column) => {
    const [first, second] = [column.figure(old), column.figure(now)]
    const cell = (figure: typeof first, isThere: boolean) =>
      !isThere
        ? '<span class="unknown">not measured</span>'
        : figure.status === "unknown"
          ? `<span class="unknown" title="${html(figure.reason)}">unknown</span>`
          : html(figureCell(figure, column.unit))
    return `<tr><th scope="row">${html(column.title.replace("/p99", ""), 60)}</th><td>${cell(first, isOf(before, column) || !isOf(after, column))}</td><td>${cell(second, isOf(after, column) || !isOf(before, column))}${arrow(changeOf(first, second, column))}</td></tr>`
  })
  const side = ({ record, variant }: ComparedSide, letter: string) =>
    `${letter}: ${namesHtml(variant, 40)}<br><small>run ${html(record.id, 40)}</small>`
  return `<section><h2>Figures side by side</h2><div class="table-frame" tabindex="0" role="region" aria-label="figures side by side"><table><thead><tr><th scope="col">figure</th><th scope="col">${side(a, "A")}</th><th scope="col">${side(b, "B")}</th></tr></thead><tbody>${rows.join("")}</tbody></table></div><p class="legend">Unpaired: \u2192 while the intervals overlap, no arrow where a figure has none.</p></section>`
}

const shownDifferences = 200
/** More than a screen holds are folded: the verdict and the figures are what most readers came for. */
const openDifferences = 12

function changed(differences: readonly ShownDifference[], a: ComparedSide, b: ComparedSide): string {
  const title = `<h2>What they asked differently</h2>`
  if (differences.length === 0)
    return `<section>${title}<p>Nothing: data, variants, metrics, settings and versions are equal.</p></section>`
  const lines = differences.slice(0, shownDifferences).map((difference) => {
    const value = (sign: string, tag: "del" | "ins", text: string | null) =>
      text === null ? "" : `<dd>${sign} <${tag} class="foreign">${html(text, 600)}</${tag}></dd>`
    return `<dt><small>${html(difference.about)}</small> ${html(differenceWords(difference), 200)}</dt>${value("\u2212", "del", difference.before)}${value("+", "ins", difference.after)}`
  })
  const more =
    differences.length > shownDifferences
      ? `<p>and ${count(differences.length - shownDifferences)} more: <code>evalkit diff</code></p>`
      : ""
  const list = `<dl class="differences">${lines.join("")}</dl>${more}`
  const shown =
    differences.length <= openDifferences
      ? list
      : `<details><summary>${count(differences.length)} differences</summary>${list}</details>`
  return `<section>${title}<p class="legend">From run ${html(a.record.id, 40)} (\u2212) to run ${html(b.record.id, 40)} (+).</p>${shown}</section>`
}
