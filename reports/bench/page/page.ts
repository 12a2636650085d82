import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { count, significant } from "../../format/number.ts"
import { loadWords } from "../words/load-words.ts"
import { levelSentences, limitSentences } from "../words/sentences.ts"
import { capacityCharts, kneeLevel, msWords, sloNames } from "./capacity.ts"
import { figureWords } from "./cells.ts"
import { costPart, resourcePart } from "./cost-tables.ts"
import { escapeHtml } from "./escape-html.ts"
import { outcomeTable, overviewTable, paragraphs, percentileTable, toolTable } from "./level-tables.ts"
import { crossoverWords, timeCharts, tokenLines } from "./streaming.ts"
import { style } from "./style.ts"
import { trustPart } from "./trust.ts"

/**
 * A bench as a page of its own, without scripts: the verdict as a sentence, the figures that carry it, throughput against
 * latency, then everything that it rests on. A pure function of the result.
 */
export function benchHtml(result: BenchResult): string {
  const [verdict = "Nothing was measured.", ...more] = verdictSentences(result)
  const part = (title: string, lead: string, body: string) =>
    body === "" ? "" : `<h2>${title}</h2>${lead ? `<p class="soft">${lead}</p>` : ""}${body}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(verdict)}</title><style>${style}</style></head><body><main>
<p class="eyebrow">evalkit bench · ${escapeHtml(scopeWords(result))}</p>
<h1>${escapeHtml(verdict)}</h1>
${paragraphs(more)}
${doubtWords(result)
  .map((words) => `<p class="doubt">${escapeHtml(words)}</p>`)
  .join("\n")}
${tilesOf(result)}
<div class="charts">${capacityCharts(result)}</div>
${overviewTable(result)}
${part("Latency and streaming", "", `${paragraphs(crossoverWords(result))}<div class="charts">${tokenLines(result)}${timeCharts(result)}</div>`)}
${part("Percentiles", "", percentileTable(result))}
${part("Failed requests", "", outcomeTable(result))}
${part("Cost", "", costPart(result))}
${part("Tokens, context window and resources", "", resourcePart(result))}
${part("Measurement error", "", trustPart(result))}
${part("The same log in other tools' definitions", "", toolTable(result))}
<details><summary>Each load in sentences</summary>${paragraphs(result.levels.map((level) => levelSentences(level).join(" ")))}</details>
</main></body></html>
`
}

/** What a sweep or a search found; else what the heaviest load that kept its objectives says. */
function verdictSentences(result: BenchResult): readonly string[] {
  const limits = limitSentences(result)
  if (limits.length > 0) return limits
  const [level] = result.levels
  if (!level) return []
  if (result.levels.length === 1) return levelSentences(level)
  const best = result.levels.reduce((most, one) => (throughputOf(one) > throughputOf(most) ? one : most), level)
  return [
    `${best.variant} had its highest throughput at ${loadWords(best)}: ${figureWords(best.speed.systemTokensPerSecond)} tokens a second, with a median time to first token of ${figureWords(best.speed.ttftMs.p50)} ms.`,
  ]
}

function throughputOf({ speed }: BenchLevel): number {
  return figureValue(speed.systemTokensPerSecond) ?? figureValue(speed.requestsPerSecond) ?? 0
}

function scopeWords({ levels, slo }: BenchResult): string {
  const variants = new Set(levels.map(({ variant }) => variant)).size
  const requests = levels.reduce((sum, level) => sum + level.requests, 0)
  const objectives = slo.map(({ figure, maxMs }) => `${sloNames[figure]} within ${msWords(maxMs)}`).join(", ")
  return [
    `${variants === 1 ? (levels[0]?.variant ?? "") : `${variants} variants`}`,
    `${count(levels.length)} ${levels.length === 1 ? "load" : "loads"}`,
    `${count(requests)} requests`,
    ...(objectives ? [`objectives: ${objectives}`] : []),
  ].join(" · ")
}

/** Which figures the client's own error is too large for, and at which loads: the others may be planned with. */
function doubtWords({ levels }: BenchResult): readonly string[] {
  const many = new Set(levels.map(({ variant }) => variant)).size > 1
  const byFigure = new Map<string, string[]>()
  for (const level of levels)
    for (const { figure } of level.doubtful)
      byFigure.set(figure, [
        ...(byFigure.get(figure) ?? []),
        many ? `${level.variant}, ${loadWords(level)}` : loadWords(level),
      ])
  if (byFigure.size === 0) return []
  const where = (loads: readonly string[]) => {
    if (loads.length === levels.length) return "every load"
    return loads.length > 3 ? `${count(loads.length)} of ${count(levels.length)} loads` : loads.join(" and ")
  }
  const parts = [...byFigure].map(([figure, loads]) => `${figure} at ${where(loads)}`)
  return [
    `Invalid: the client's own error is over 5\u00a0% of ${parts.join("; ")}. Do not plan with these figures; see “Measurement error”.`,
  ]
}

/** Of each variant the figures of the load that matters: the knee of a sweep, else the one with the most throughput. */
function tilesOf(result: BenchResult): string {
  const variants = [...new Set(result.levels.map(({ variant }) => variant))]
  return variants
    .map((variant) => {
      const levels = result.levels.filter((level) => level.variant === variant)
      const most = levels.reduce((best, one) => (throughputOf(one) > throughputOf(best) ? one : best))
      const level = kneeLevel(result, variant, levels) ?? most
      const heading =
        variants.length > 1 ? `<p class="tile-head">${escapeHtml(`${variant}, ${loadWords(level)}`)}</p>` : ""
      const items = tilesOfLevel(level).map(
        ([value, words]) => `<li><b>${escapeHtml(value)}</b><span>${escapeHtml(words)}</span></li>`,
      )
      return `${heading}<ul class="tiles">${items.join("")}</ul>`
    })
    .join("\n")
}

function tilesOfLevel(level: BenchLevel): readonly (readonly [value: string, words: string])[] {
  const { speed, cost, goodput, correctGoodput, availability } = level
  const perThousand = figureValue(cost.perThousandUsd)
  return [
    [figureWords(speed.systemTokensPerSecond), `tokens a second in total at ${loadWords(level)}`],
    [figureWords(speed.ttftMs.p50, " ms"), `time to first token, median${tail(speed.ttftMs.p99)}`],
    [figureWords(speed.e2eMs.p50, " ms"), `for a whole answer, median${tail(speed.e2eMs.p99)}`],
    goodput.status === "known"
      ? [figureWords(goodput, " %", 100), "of all requests met every objective (goodput)"]
      : [figureWords(availability, " %", 100), "of all requests were answered"],
    ...(correctGoodput.status === "known"
      ? [
          [
            figureWords(correctGoodput, " %", 100),
            goodput.status === "known"
              ? "met them with a correct answer (correct goodput)"
              : "were answered correctly (correct goodput)",
          ] as const,
        ]
      : []),
    ...(perThousand === null ? [] : [[`$${significant(perThousand)}`, "for 1,000 such requests"] as const]),
  ]
}

function tail(figure: Parameters<typeof figureValue>[0]): string {
  const value = figureValue(figure)
  if (value === null) return ""
  const small = figure?.status === "known" && figure.warning ? " (n too small)" : ""
  return `; p99 ${significant(value)} ms${small}`
}
