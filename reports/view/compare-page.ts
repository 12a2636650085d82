import type { RunReport } from "../../src/core/report/report.ts"
import { variantColumns } from "../export/columns.ts"
import { changeOf } from "./change.ts"
import { html, type PlainDocument, plainDocument } from "./document.ts"
import { figureWithArrow } from "./runs-page.ts"

/** Two runs side by side: for every variant that both have, each figure before and after, with an arrow. */
export function comparePage(before: RunReport, after: RunReport, style: string): PlainDocument {
  const shared = after.variants.filter((variant) => before.variants.some((one) => one.name === variant.name))
  const columns = variantColumns(after)
  const rows = shared.flatMap((variant) => {
    const old = before.variants.find((one) => one.name === variant.name)
    if (!old) return []
    return columns.map((column, index) => {
      const known =
        before.metrics.some((metric) => metric.name === column.id) ||
        !after.metrics.some((metric) => metric.name === column.id)
      const [a, b] = [column.figure(old), column.figure(variant)]
      const name = index === 0 ? `<th scope="rowgroup" rowspan="${columns.length}">${html(variant.name, 60)}</th>` : ""
      const first = known ? figureWithArrow(column, a, null) : '<span class="unknown">not measured</span>'
      return `<tr>${name}<th scope="row">${html(column.title.replace("/p99", ""))}</th><td>${first}</td><td>${figureWithArrow(column, b, changeOf(a, b, column.goal))}</td></tr>`
    })
  })
  const warnings = [
    ...(before.dataset.fingerprint === after.dataset.fingerprint
      ? []
      : ["The runs used different data sets: differences may come from the questions."]),
    ...(shared.length === 0 ? ["The runs have no variant in common."] : []),
  ]
  const label = ({ run }: RunReport) =>
    `${html(run.id)}<br><small>${html(run.startedAt.slice(0, 16).replace("T", " "))}</small>`
  const body = [
    `<section><p><a href=".">all runs</a></p><h1>${html(after.run.name, 80)}: ${html(before.run.id)} and ${html(after.run.id)}</h1>`,
    ...warnings.map((warning) => `<p class="doubt">${warning}</p>`),
    `<div class="table-frame"><table><thead><tr><th scope="col">variant</th><th scope="col" class="figure-name">figure</th><th scope="col">${label(before)}</th><th scope="col">${label(after)}</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`,
    `<p class="legend">\u2192 while the intervals overlap. For a verdict paired by sample: evalkit compare ${html(`${before.run.id}:${shared[0]?.name ?? "VARIANT"} ${after.run.id}:${shared[0]?.name ?? "VARIANT"}`)}</p></section>`,
  ]
  return plainDocument({ title: `evalkit: ${before.run.id} and ${after.run.id}`, style, body: body.join("\n") })
}
