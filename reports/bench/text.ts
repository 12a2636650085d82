import type { Figure } from "../../src/core/report/figure.ts"
import type { Distribution } from "../../src/core/report/report.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { errorBudget } from "../../src/perf/client/error-budget.ts"
import { readingSpeed } from "../../src/perf/time-to-tokens.ts"
import { count, counted, significant } from "../../src/words/number.ts"
import { fittedTable } from "../terminal/text-table.ts"
import { cell, levelHeader, levelRows, shareCell } from "./level-rows.ts"
import { serverTable } from "./server-text.ts"
import { crossoverWords, lengthDoubts, lengthWords, shortAnswersMean } from "./words/answer-lengths.ts"
import { billSentences, breakEvenSentences } from "./words/bill-sentences.ts"
import { choiceHeader, choiceLegend, choiceRows, failedStartSentences } from "./words/choice-words.ts"
import { clientDoubts, clientTable, clientWords } from "./words/client-words.ts"
import { arrivalWords, doubtedLegend, loadWords } from "./words/level-words.ts"
import { cacheCheckSentences, cacheRows } from "./words/prompt-cache-words.ts"
import { serverSentences } from "./words/server.ts"
import { objectiveWords, verdictSentences } from "./words/verdict.ts"
import { coldStartWords, lateWorkerDoubts, workerSentences } from "./words/worker-words.ts"

/**
 * What a person reads after a bench: the findings as sentences, then the figures, then what they are based on.
 *
 * @param width of the screen: tables lose columns that do not fit
 */
export function benchText(result: BenchResult, width = Number.POSITIVE_INFINITY): string {
  const single = result.levels.length === 1 ? result.levels[0] : undefined
  return [
    ...verdictSentences(result),
    ...(result.slo.length > 0 ? [`Objectives of ${objectiveWords(result.slo)}.`] : []),
    "",
    ...choiceTable(result, width),
    ...(single ? tablesOf(single, width) : [levelTable(result.levels, width), ...exampleLines(result.levels)]),
    ...cacheTable(result.levels, width),
    ...cacheCheckSentences(result.levels),
    ...serverTable(result.levels, width),
    ...lengthDoubts(result.levels),
    ...crossoverWords(result),
    ...billSentences(result),
    ...breakEvenSentences(result),
    ...footnotes(result, width),
  ]
    .map((line) => (line === "" || line.startsWith("  ") ? line : ` ${line}`))
    .join("\n")
    .concat("\n")
}

/** A row a setting of a search over them, and why servers did not start. */
function choiceTable({ choice, failedStarts, levels }: BenchResult, width: number): readonly string[] {
  if (!choice) return []
  const table = fittedTable(choiceHeader, choiceRows(choice), { words: [0, 1], width, drop: [3, 8, 6] })
  return [table, choiceLegend, ...(levels.length > 0 ? failedStartSentences({ failedStarts }) : []), ""]
}

/** Nothing, where nothing was answered. */
function tablesOf(level: BenchLevel, width: number): readonly string[] {
  return level.answered === 0 ? [] : [figureTable(level, width), toolTable(level, width)]
}

/** What each class of failure said first, over all levels. */
function exampleLines(levels: readonly BenchLevel[]): readonly string[] {
  const examples = new Map(levels.toReversed().flatMap(({ failureExamples }) => [...failureExamples]))
  return [...examples].map(([outcome, message]) => `for example ${outcome}: ${message}`)
}

function figureTable({ speed, e2eFromIntentMs }: BenchLevel, width: number): string {
  const rows: readonly (readonly [string, Distribution])[] = [
    ["TTFT (first token)", speed.ttftMs],
    ["TTFT from intent", speed.ttftFromIntentMs],
    ["TPOT (per token)", speed.tpotMs],
    ["ITL (token to token)", speed.itlMs],
    ["E2E (whole answer)", speed.e2eMs],
    ["E2E from intent", e2eFromIntentMs],
    ...(speed.longestStopMs ? [["longest stop", speed.longestStopMs] as const] : []),
  ]
  return fittedTable(
    ["milliseconds", "mean", "p50", "p90", "p95", "p99", "p99 between", "n"],
    rows.map(([name, { mean, p50, p90, p95, p99 }]) => [
      name,
      ...[mean, p50, p90, p95, p99].map(cell),
      between(p99),
      p50.status === "known" ? count(p50.n) : "0",
    ]),
    { width, drop: [6, 3, 1, 4] },
  )
}

function levelTable(levels: readonly BenchLevel[], width: number): string {
  return fittedTable(levelHeader, levelRows(levels), { width, drop: [9, 7, 6, 8, 10, 4, 5] })
}

/** Hits and misses of the prompt cache side by side; nothing where there were none to tell apart. */
function cacheTable(levels: readonly BenchLevel[], width: number): readonly string[] {
  const rows = cacheRows(levels)
  if (rows.length === 0) return []
  return [
    fittedTable(
      [
        "prompt cache",
        "load",
        "hits",
        "cached",
        "TTFT p50 ms",
        "between",
        "$",
        "misses",
        "cached",
        "TTFT p50 ms",
        "between",
        "$",
      ],
      rows.map(({ name, level, hit, miss }) => [
        name,
        loadWords(level),
        ...[hit, miss].flatMap(({ answers, cachedShare, ttftMs, costUsd }) => [
          count(answers),
          shareCell(cachedShare),
          cell(ttftMs),
          answers === 0 ? "" : between(ttftMs),
          cell(costUsd),
        ]),
      ]),
      { width, drop: [5, 10, 3, 8, 6, 11] },
    ),
  ]
}

function footnotes(result: BenchResult, width: number): readonly string[] {
  const lines: string[] = []
  const isSingle = result.levels.length === 1
  for (const level of result.levels) {
    const prefix = isSingle ? "" : `${level.variant}, ${loadWords(level)}: `
    lines.push(...lateWorkerDoubts(level).map((words) => `${prefix}INVALID: ${words}`))
    lines.push(...workerSentences(level).map((sentence) => prefix + sentence))
    if (isSingle) lines.push(...clientWords(level))
    const { stalled = 0 } = level.speed
    if (stalled > 0)
      lines.push(
        `${prefix}evalkit itself stood still during ${counted(stalled, "answer")}: ${stalled === 1 ? "its latency is left out, and it" : "their latency is left out, and they"} met no objective`,
      )
    if (level.resent)
      lines.push(
        `${prefix}${level.resent === 1 ? "1 request was" : `${level.resent} requests were`} sent again because the server had closed ${level.resent === 1 ? "its" : "their"} connection`,
      )
    lines.push(...serverSentences(level).map((sentence) => prefix + sentence))
    const arrivals = arrivalWords(level)
    if (arrivals !== null) lines.push(prefix + arrivals)
    lines.push(...lengthWords(level).map((words) => prefix + words))
    if (isSingle) lines.push(...level.remarks)
    if (level.drift.status === "failed") lines.push(`${prefix}drift: ${level.drift.message}`)
    const { burnRate } = errorBudget(level.availability, result.availabilityTarget)
    if (burnRate.status === "known" && burnRate.value > 1)
      lines.push(
        `${prefix}errors use up the budget of a ${result.availabilityTarget * 100} % target ${significant(burnRate.value)} times too fast`,
      )
  }
  if (!isSingle) lines.push(...clientDoubts(result.levels), ...remarksOf(result.levels))
  if (result.levels.some((level) => lengthWords(level).length > 0)) lines.push(shortAnswersMean)
  lines.push(...coldStartWords(result))
  const costs = new Set(
    result.levels.flatMap(({ cost }) => (cost.totalUsd.status === "unknown" ? [cost.totalUsd.reason] : [])),
  )
  for (const reason of costs) lines.push(`cost unknown: ${reason}`)
  const legend = doubtedLegend(result.levels)
  return [
    ...lines,
    `${transports(result)} · people read ${readingSpeed.low} to ${readingSpeed.high} tokens a second`,
    "* n too small for this percentile: p99 needs 459, p95 90, p90 44",
    ...(legend === null ? [] : [legend]),
    ...(isSingle ? [] : [clientTable(result.levels, width)]),
  ]
}

/** Of each variant once, however many of its levels have it. */
function remarksOf(levels: readonly BenchLevel[]): readonly string[] {
  return [...new Set(levels.flatMap(({ variant, remarks }) => remarks.map((remark) => `${variant}: ${remark}`)))]
}

/** `transport undici, 2 capture threads`; each arrangement once. */
function transports({ levels }: BenchResult): string {
  return `transport ${[...new Set(levels.map(({ transport }) => transport ?? "unknown"))].join(" and ")}`
}

function toolTable({ tools }: BenchLevel, width: number): string {
  return fittedTable(
    ["by other tools' definitions, median ms", ...tools.map(({ tool }) => tool)],
    [
      ["TTFT", ...tools.map(({ ttftMs }) => cell(ttftMs))],
      ["TPOT", ...tools.map(({ tpotMs }) => cell(tpotMs))],
      ["ITL", ...tools.map(({ itlMs }) => cell(itlMs))],
    ],
    { width, drop: tools.map((_, i) => i + 1).toReversed() },
  )
}

function between(figure: Figure): string {
  if (figure.status === "unknown") return "unknown"
  if (figure.low == null || figure.high == null) return "n too small"
  return `${significant(figure.low)} and ${significant(figure.high)}`
}
