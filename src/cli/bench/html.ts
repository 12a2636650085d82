import { significant } from "../../../reports/format/number.ts"
import { type Figure, figureValue } from "../../core/figure.ts"
import type { BenchLevel } from "../../engine/bench/measure-level.ts"
import { benchCharts } from "./charts.ts"
import { escapeHtml } from "./escape-html.ts"
import { loadWords } from "./load-words.ts"
import type { BenchResult } from "./measure.ts"
import { levelSentences, limitSentences } from "./sentences.ts"

/** A page of its own, without scripts: what the terminal says, with throughput and latency against load as a picture. */
export function benchHtml(result: BenchResult): string {
  const paragraphs = [...limitSentences(result), ...result.levels.map((level) => levelSentences(level).join(" "))]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>evalkit bench</title><style>${style}</style></head><body><main>
<h1>Speed under load</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n")}
${benchCharts(result.levels)}
<table><thead><tr>${headings.map((heading) => `<th scope="col">${heading}</th>`).join("")}</tr></thead>
<tbody>${result.levels.map(rowOf).join("\n")}</tbody></table>
<h2>How far to trust it</h2>
${result.levels.map((level) => `<p>${escapeHtml(trustOf(level))}</p>`).join("\n")}
<p>Percentiles by rule R-7 with order-statistic 95 % intervals; throughput over the
window in which every slot was busy; * marks a sample that is too small for its percentile.</p>
</main></body></html>
`
}

const headings = [
  "variant",
  "load",
  "answered",
  "TTFT p50, ms",
  "TTFT p99",
  "TPOT p50",
  "E2E p50",
  "E2E p99",
  "tokens/s",
  "goodput",
  "$ per 1,000",
]

function rowOf(level: BenchLevel): string {
  const { speed, cost } = level
  const figures: readonly (readonly [Figure, number])[] = [
    [speed.ttftMs.p50, 1],
    [speed.ttftMs.p99, 1],
    [speed.tpotMs.p50, 1],
    [speed.e2eMs.p50, 1],
    [speed.e2eMs.p99, 1],
    [speed.systemTokensPerSecond, 1],
    [level.goodput, 100],
    [cost.perThousandUsd, 1],
  ]
  const cells = figures.map(([figure, scale]) => cellOf(figure, scale)).join("")
  return (
    `<tr><th scope="row">${escapeHtml(level.variant)}</th><td>${escapeHtml(loadWords(level))}</td>` +
    `<td>${level.answered} of ${level.requests}</td>${cells}</tr>`
  )
}

function cellOf(figure: Figure, scale: number): string {
  if (figure.status === "unknown") return `<td class="unknown" title="${escapeHtml(figure.reason)}">unknown</td>`
  const { low, high, method, n, warning } = figure
  const range =
    low == null || high == null ? "" : `, between ${significant(low * scale)} and ${significant(high * scale)}`
  const title = `${method}, n ${n}${range}${warning ? `, ${warning}` : ""}`
  const unit = scale === 100 ? " %" : ""
  return `<td title="${escapeHtml(title)}">${significant(figure.value * scale)}${unit}${warning ? "*" : ""}</td>`
}

function trustOf(level: BenchLevel): string {
  const where = `${level.variant}, ${loadWords(level)}: `
  if (!level.clientError) return `${where}the client's own error was not measured.`
  const { ttftMsP50, ttftMsP99, itlMsP50, itlMsP99 } = level.clientError
  const verdict =
    level.doubtful.length === 0
      ? "within 5 % of every figure"
      : `over 5 % of ${level.doubtful.map(({ figure }) => figure).join(", ")}: invalid`
  const queue = figureValue(level.lagMs.p99)
  return (
    `${where}client error TTFT ${significant(ttftMsP50)} ms (p99 ${significant(ttftMsP99)}), ITL ${significant(itlMsP50)} ms ` +
    `(p99 ${significant(itlMsP99)}), ${verdict}; requests started up to ${significant(queue ?? Number.NaN)} ms late (p99).`
  )
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;margin:1.5rem 0;display:block;overflow-x:auto}
th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}th:first-child,td:nth-child(2){text-align:left}
.unknown{opacity:.75}svg{width:100%;height:auto;max-width:44rem}svg text{font-size:12px;fill:currentColor}p{max-width:48rem}`
