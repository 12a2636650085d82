import type { RunReport } from "../../src/core/report/report.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { type VariantColumn, variantColumns } from "../export/columns.ts"
import { figureCell } from "../format/figure.ts"
import { count } from "../format/number.ts"
import { verdictWords } from "../wording/verdict-words.ts"
import { changeOf } from "./change.ts"
import { html, type PlainDocument, plainDocument } from "./document.ts"

/** A run with its report, when it has one. */
export interface ListedRun {
  readonly record: RunRecord
  readonly report: RunReport | null
}

const limit = 200

/** All runs, newest first, with arrows against the run before of the same name, and a form to compare any two. */
export function runsPage(runs: readonly ListedRun[], style: string): PlainDocument {
  const shown = runs.slice(0, limit)
  const rows = shown.map((run, index) =>
    row(
      run,
      runs.slice(index + 1).find((older) => older.record.name === run.record.name),
    ),
  )
  const reported = shown.filter((run) => run.report !== null)
  const options = reported.map(
    ({ record }) => `<option value="${html(record.id)}">${html(`${record.id} ${record.name}`, 60)}</option>`,
  )
  const form =
    reported.length < 2
      ? ""
      : `<form action="compare" method="get" class="controls"><label class="choice"><span>compare</span><select name="a">${options.join("")}</select></label><label class="choice"><span>with</span><select name="b">${[...options.slice(1), options[0]].join("")}</select></label><button type="submit">show</button></form>`
  const titles = ["run", "started", "status", "verdict", "quality", "E2E p50", "$ per 1k", "answers"]
  const table = `<div class="table-frame"><table><thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`
  const note = `<p class="legend">Figures are the baseline's. Arrows: against the run before of the same name; \u2192 while the intervals overlap.${runs.length > limit ? ` ${count(runs.length - limit)} older runs are not shown.` : ""}</p>`
  const body = `<section><h1>Runs</h1>${runs.length === 0 ? "<p>There are no runs yet: evalkit run</p>" : table + note + form}</section>`
  return plainDocument({ title: "evalkit: runs", style, body, refreshSeconds: 15 })
}

function row({ record, report }: ListedRun, older: ListedRun | undefined): string {
  const cells = [
    `<th scope="row"><a href="run/${encodeURIComponent(record.id.replace(/\p{Surrogate}/gu, "\ufffd"))}">${html(record.id)}</a> <small>${html(record.name, 60)}</small></th>`,
    `<td>${html(record.startedAt.slice(0, 16).replace("T", " "))}</td>`,
    `<td>${html(record.status)}</td>`,
    `<td>${report?.decision ? `<span class="verdict ${report.decision.verdict}">${verdictWords[report.decision.verdict]}</span>` : '<span class="unknown">none</span>'}</td>`,
    ...columnsOf(report).map((column) => `<td>${cell(column, report, older?.report ?? null)}</td>`),
    `<td>${report ? count(report.variants.reduce((sum, variant) => sum + variant.finished, 0)) : '<span class="unknown">unknown</span>'}</td>`,
  ]
  return `<tr>${cells.join("")}</tr>`
}

/** The primary metric, end-to-end latency and cost; null where the run has no report. */
function columnsOf(report: RunReport | null): (VariantColumn | null)[] {
  if (!report) return [null, null, null]
  const columns = variantColumns(report)
  const find = (test: (column: VariantColumn) => boolean) => columns.find(test) ?? null
  return [find((one) => one.primary), find((one) => one.id === "e2eMs"), find((one) => one.id === "perThousandUsd")]
}

function cell(column: VariantColumn | null, report: RunReport | null, older: RunReport | null): string {
  const variant = report?.variants.find((one) => one.baseline)
  if (!column || !variant) return '<span class="unknown">unknown</span>'
  const before = older?.variants.find((one) => one.name === variant.name)
  const figure = column.figure(variant)
  return figureWithArrow(column, figure, before ? changeOf(column.figure(before), figure, column.goal) : null)
}

/** A figure with the arrow of its change, coloured when the change is on evidence. */
export function figureWithArrow(
  column: VariantColumn,
  figure: ReturnType<VariantColumn["figure"]>,
  change: ReturnType<typeof changeOf>,
): string {
  const text = html(figureCell(figure, column.unit))
  if (figure.status === "unknown") return `<span class="unknown" title="${html(figure.reason)}">unknown</span>`
  if (!change) return text
  const tone = change.good === null ? "" : change.good ? "good" : "bad"
  return `${text} <span class="${tone}">${change.arrow}</span>`
}
