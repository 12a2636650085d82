import type { Outcome } from "../../src/core/outcome.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { dataName } from "../../src/words/data-name.ts"
import { figureCell } from "../../src/words/figure.ts"
import { metricTitle, metricUnit } from "../../src/words/metric.ts"
import { count, counted, significant } from "../../src/words/number.ts"
import { percent } from "../../src/words/percent.ts"
import { duration, quantity, type Unit } from "../../src/words/quantity.ts"
import { outcomeWords, reasonLine } from "../wording/failure-reasons.ts"
import { html, namesHtml, type PlainDocument, pathPart, plainDocument, type ViewAssets } from "./document.ts"

/** How far a variant of a run is, and what its figures look like so far. */
export interface LiveVariant {
  readonly name: string
  readonly finished: number
  readonly planned: number
  /** Answers that the figures are of: those that were read by now. */
  readonly read: number
  /** Why the variant as a whole failed; null where it did not. */
  readonly failure: string | null
  /** Answers that failed. */
  readonly failed: number
  readonly e2eMs: Figure
  readonly totalUsd: Figure
  readonly quality: Figure
}

/** An answer that came in. */
export interface LiveAnswer {
  readonly variant: string
  readonly sampleId: string
  readonly outcome: Outcome
  readonly text: string
  readonly failure: string | null
  readonly e2eMs: number | null
  readonly costUsd: number | null
}

/** Answers that failed alike. */
export interface LiveFailure {
  readonly outcome: Outcome
  readonly message: string
  readonly count: number
  readonly variants: readonly string[]
}

/** A run under way, as its store shows it. */
export interface LiveRun {
  readonly finished: number
  readonly planned: number
  readonly perSecond: number | null
  readonly remainingMs: number | null
  readonly variants: readonly LiveVariant[]
  /** The most frequent first. */
  readonly failures: readonly LiveFailure[]
  /** The newest first. */
  readonly latest: readonly LiveAnswer[]
}

/** What the page says of the run besides its answers. */
export interface LiveFacts {
  readonly record: RunRecord
  /** Its start as a clock shows it. */
  readonly started: string
  readonly elapsedMs: number
  /** Whether an earlier report of it is there, as of a run that was taken up again. */
  readonly hasReport: boolean
}

/** A run that is under way: how far it is, its figures so far, what failed, and the answers as they come. No verdict. */
export function livePage(
  { record, started, elapsedMs, hasReport }: LiveFacts,
  live: LiveRun,
  assets: ViewAssets,
): PlainDocument {
  const isRunning = record.status === "running"
  const share = live.planned === 0 ? 0 : Math.min(1, live.finished / live.planned)
  const title = `${record.name}: ${record.status}, ${percent(Math.floor(share * 100) / 100)}`
  const facts = [
    ["answers", `${count(live.finished)} of ${count(live.planned)}`],
    ["started", started],
    ...(isRunning
      ? [
          ["for", duration(elapsedMs)],
          ["rate", rateText(live.perSecond)],
          ["time left, at this rate", live.remainingMs === null ? null : duration(live.remainingMs)],
        ]
      : []),
    [costWords(live), costText(live)],
  ] as const
  const body = [
    `<section id="live"><h1 id="title">${html(title, 120)}</h1>`,
    `<p class="evidence" id="run">run ${html(record.id)} \u00b7 ${html(dataName(record.dataset), 60)}, ${counted(record.dataset.samples, "sample")}</p>`,
    `<progress id="whole" max="${Math.max(1, live.planned)}" value="${live.finished}" aria-label="${count(live.finished)} of ${counted(live.planned, "answer")}"></progress>`,
    `<dl class="live-facts" id="facts">${facts.map(([name, text]) => `<div><dt>${name}</dt><dd>${text == null ? '<span class="unknown">not known yet</span>' : html(text)}</dd></div>`).join("")}</dl>`,
    soFar(isRunning, live),
    `<div class="table-frame" id="variants" tabindex="0" role="region" aria-label="variants so far">${table(record, live.variants)}</div>`,
    failures(live.failures),
    latest(live.latest),
    isRunning
      ? hasReport
        ? `<p id="next"><a href="/run/${pathPart(record.id)}?report=last">the report as it was before the run was taken up again</a></p>`
        : ""
      : `<p id="next">Go on with it: <code>evalkit run --resume ${html(record.id)}</code></p>`,
    "</section>",
  ]
  return plainDocument(
    { title: `evalkit: ${title}`, body: body.join(""), ...(isRunning ? { refreshSeconds: 2 } : {}) },
    assets,
  )
}

/** What the figures are worth: of a run that goes on they move, of one that stands still they are of what there is. */
function soFar(isRunning: boolean, { finished, planned }: LiveRun): string {
  const words = isRunning
    ? "The figures are of the answers that are there: they move, and their intervals narrow. What is decided is decided when the plan is reached."
    : finished < planned
      ? `The run ended before its plan was reached: the figures are of ${count(finished)} of ${counted(planned, "answer")}. Go on with it, and it decides.`
      : "Every answer is there, but the run ended before it had read its verdict from them. Go on with it: no answer is asked for again."
  return `<p class="so-far" id="so-far"><strong>${isRunning ? "So far, no verdict." : "No verdict."}</strong> ${words}</p>`
}

function table(record: RunRecord, variants: readonly LiveVariant[]): string {
  const metric = record.metrics.find((entry) => entry.primary) ?? record.metrics[0]
  const titles = [
    "variant",
    "answers",
    "failed",
    metric ? `${metricTitle(metric)} so far` : "quality so far",
    "end to end, median",
    "cost",
  ]
  const rows = variants.map((variant) => {
    const { name, finished, planned, failure, failed } = variant
    const figures =
      failure === null
        ? [
            count(failed),
            partial(variant.quality, metric ? metricUnit(metric) : null),
            partial(variant.e2eMs, "ms"),
            costCell(variant.totalUsd),
          ]
            .map((cell) => `<td>${cell}</td>`)
            .join("")
        : `<td colspan="4"><span class="bad">failed: ${html(failure)}</span></td>`
    const behind = variant.read < finished ? `<br><small>figures of ${count(variant.read)} that are read</small>` : ""
    return `<tr><th scope="row">${namesHtml(name, 60)}</th><td>${count(finished)} of ${count(planned)}${behind}</td>${figures}</tr>`
  })
  return `<table><thead><tr>${titles.map((title) => `<th scope="col">${html(title, 60)}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

function rateText(perSecond: number | null): string | null {
  if (perSecond === null) return null
  return perSecond === 0 ? "no answer came of late" : `${significant(perSecond)} answers a second`
}

/** Answers that are there and were not read yet cost something, too. */
function costWords({ finished, variants }: LiveRun): string {
  const read = variants.reduce((sum, variant) => sum + variant.read, 0)
  return read > 0 && read < finished
    ? `cost of ${counted(read, "answer")} that ${read === 1 ? "is" : "are"} read`
    : "cost of the answers so far"
}

function costText({ variants }: LiveRun): string | null {
  if (variants.every(({ read }) => read === 0)) return null
  let total = 0
  for (const { read, totalUsd } of variants) {
    if (read === 0) continue
    if (totalUsd.status === "unknown") return `unknown: ${totalUsd.reason}`
    total += totalUsd.value
  }
  return quantity(total, "usd")
}

/** Why a cost is unknown stands above the table: in each row it would push the table off the page. */
function costCell(figure: Figure): string {
  return figure.status === "known"
    ? `<span title="${html(figure.method)}">${partial(figure, "usd")}</span>`
    : `<span class="unknown" title="${html(figure.reason)}">unknown</span>`
}

function partial(figure: Figure, unit: Unit | null): string {
  if (figure.status === "unknown") return `<span class="unknown">${html(figure.reason)}</span>`
  return `${html(figureCell(figure, unit))} <small>n = ${count(figure.n)}</small>`
}

function failures(list: readonly LiveFailure[]): string {
  if (list.length === 0) return '<div id="failures"></div>'
  const lines = list.map((failure) => `<li class="foreign">${html(reasonLine(failure), 400)}</li>`)
  return `<div id="failures"><h2>What failed</h2><ul>${lines.join("")}</ul></div>`
}

function latest(answers: readonly LiveAnswer[]): string {
  const items = answers.map(({ variant, sampleId, outcome, text, failure, e2eMs, costUsd }) => {
    const facts = [
      ...(e2eMs === null ? [] : [quantity(e2eMs, "ms")]),
      ...(costUsd === null ? [] : [quantity(costUsd, "usd")]),
    ]
    const said = text.trim() === "" ? (failure ?? "") : text
    const words = outcome === "ok" ? "" : `<span class="bad">${html(outcomeWords[outcome] ?? outcome)}</span> `
    return `<li><div class="head"><strong>${html(variant, 60)}</strong><br>${html(sampleId, 60)}<br>${facts.join(" \u00b7 ")}</div><p>${words}<span class="foreign">${said === "" ? "(empty)" : html(said, 400)}</span></p></li>`
  })
  const list = items.length === 0 ? "<p>There is no answer yet.</p>" : `<ol class="answers">${items.join("")}</ol>`
  return `<div id="latest"><h2>The latest answers</h2>${list}</div>`
}
