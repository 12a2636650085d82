import type { Figure } from "../../src/core/report/figure.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { figureCell } from "../format/figure.ts"
import { metricUnit, readableName } from "../format/metric.ts"
import { count } from "../format/number.ts"
import { percent, type Unit } from "../format/quantity.ts"
import { html, type PlainDocument, plainDocument } from "./document.ts"

/** How far a variant of a run is, and what its quality looks like so far. */
export interface LiveVariant {
  readonly name: string
  readonly finished: number
  readonly failure: string | null
  /** Answers that are not usable; null where they were not counted. */
  readonly failed: number | null
  /** Median end-to-end latency, and the cost of 1,000 requests, of the answers so far. */
  readonly e2eMs: Figure
  readonly perThousandUsd: Figure
  /** The first primary metric over the answers that are scored already. */
  readonly quality: Figure
}

/** A run that has no report yet: progress and partial intervals, reloaded every few seconds while it runs. */
export function livePage(record: RunRecord, variants: readonly LiveVariant[], style: string): PlainDocument {
  const planned = record.dataset.samples * record.repeats
  const metric = record.metrics.find((one) => one.primary) ?? record.metrics[0]
  const done = variants.reduce((sum, variant) => sum + variant.finished, 0)
  const rows = variants.map(
    (variant) =>
      `<tr><th scope="row">${html(variant.name, 60)}</th><td>${count(variant.finished)} of ${count(planned)}</td><td>${bar(variant.finished, planned)}</td>${variant.failure === null ? figures(variant, metric) : `<td colspan="4"><span class="bad">failed: ${html(variant.failure)}</span></td>`}</tr>`,
  )
  const share = planned * variants.length === 0 ? 0 : done / (planned * variants.length)
  const body = [
    `<section><p><a href="../">all runs</a></p><h1>${html(record.name, 80)}: ${html(record.status)}, ${percent(Math.floor(share * 100) / 100)}</h1>`,
    `<p class="evidence">run ${html(record.id)}, started ${html(record.startedAt.slice(0, 19).replace("T", " "))}. The intervals are partial: they narrow as answers come in, and no verdict is drawn from them.</p>`,
    `<div class="table-frame"><table><thead><tr><th scope="col">variant</th><th scope="col">answers</th><th scope="col">progress</th><th scope="col">failed</th><th scope="col">end to end, median</th><th scope="col">cost of 1,000</th><th scope="col">${metric ? html(readableName(metric.name)) : "quality"}</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`,
    record.status === "running" ? "" : `<p>Continue it with: evalkit run --resume ${html(record.id)}</p>`,
    "</section>",
  ]
  return plainDocument({
    title: `evalkit: ${record.name}`,
    style,
    body: body.join("\n"),
    ...(record.status === "running" ? { refreshSeconds: 3 } : {}),
  })
}

/** What is known so far, each with its interval. */
function figures(variant: LiveVariant, metric: RunRecord["metrics"][number] | undefined): string {
  const failed = variant.failed === null ? '<span class="unknown">unknown</span>' : count(variant.failed)
  const cells = [
    partial(variant.e2eMs, "ms"),
    partial(variant.perThousandUsd, "usd"),
    partial(variant.quality, metric ? metricUnit(metric) : null),
  ]
  return [failed, ...cells].map((cell) => `<td>${cell}</td>`).join("")
}

function partial(figure: Figure, unit: Unit | null): string {
  if (figure.status === "unknown") return `<span class="unknown">${html(figure.reason)}</span>`
  return `${html(figureCell(figure, unit))} <small>n = ${count(figure.n)}</small>`
}

function bar(finished: number, planned: number): string {
  return `<progress max="${planned}" value="${finished}" aria-label="${count(finished)} of ${count(planned)}"></progress>`
}
