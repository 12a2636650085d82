import type { ResourceUsage } from "../../../src/core/provider.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { count, significant } from "../../format/number.ts"
import { breakEvenSentences } from "../words/bill-sentences.ts"
import { loadWords } from "../words/load-words.ts"
import { figureCell, rowHead, tableOf, textCell } from "./cells.ts"
import { paragraphs } from "./level-tables.ts"

/** What the answers cost, and what a month of the stated traffic would. */
export function costPart(result: BenchResult): string {
  const { levels, monthlyUsd, queriesPerMonth } = result
  const dollars = { before: "$" }
  const rows = levels.map((level, i) => {
    const { cost } = level
    const bill = monthlyUsd?.[i]
    const monthly = bill ? figureCell(bill, dollars) : ""
    const cells = [cost.perQueryUsd, cost.perThousandUsd, cost.perCorrectUsd, cost.failedUsd, cost.judgeUsd]
    return (
      `<tr>${rowHead(`${level.variant}, ${loadWords(level)}`)}${cells.map((figure) => figureCell(figure, dollars)).join("")}` +
      `${monthly}${textCell(cost.priceSource ?? "no price is known", "words")}</tr>`
    )
  })
  const month = queriesPerMonth === null ? [] : [`${count(queriesPerMonth)} queries a month`]
  return (
    tableOf(
      "Failed calls and judges are counted separately. Where a price is unknown, every figure that depends on it is unknown.",
      [
        "Load",
        "Per query",
        "Per 1,000",
        "Per correct answer",
        "Spent on failures",
        "Judges",
        ...month,
        { words: "Price" },
      ],
      rows,
    ) + paragraphs(breakEvenSentences(result))
  )
}

/** Tokens, caches, the context window and what the serving process used. */
export function resourcePart(result: BenchResult): string {
  const share = { scale: 100, after: " %" }
  const tokens = result.levels.map((level) => {
    const { contextUse } = level
    const cells = [
      figureCell(level.tokens.prompt),
      figureCell(level.tokens.completion),
      figureCell(level.promptCacheHitRate, share),
      figureCell(contextUse.window),
      figureCell(contextUse.share.p50, share),
      figureCell(contextUse.share.p99, share),
      textCell(count(contextUse.nearlyFull ?? 0)),
      textCell(count(contextUse.cutOff)),
      textCell(count(contextUse.refused ?? 0)),
    ]
    return `<tr>${rowHead(`${level.variant}, ${loadWords(level)}`)}${cells.join("")}</tr>`
  })
  const used = [...result.resources].map(([variant, usage]) => `<tr>${rowHead(variant)}${usageCells(usage)}</tr>`)
  return (
    tableOf(
      "Tokens as the endpoint reported them; context use is (prompt + output tokens) / window of each request.",
      [
        "Load",
        "Prompt tokens",
        "Output tokens",
        "Prompt cache hits",
        "Window",
        "Use p50",
        "Use p99",
        "Over 90 %",
        "Cut off by the window",
        "Too long for the window",
      ],
      tokens,
    ) +
    judgeTable(result) +
    tableOf(
      "The serving process and its children, where they run on this machine.",
      [
        "Variant",
        "Memory, peak",
        "Above idle",
        "CPU",
        "GPU memory",
        "GPU busy",
        "GPU energy",
        "Model file",
        "Load time",
        { words: "Note" },
      ],
      used,
    )
  )
}

/** What judging the answers used; nothing where no judge was asked. */
function judgeTable({ levels }: BenchResult): string {
  const judged = levels.filter(({ judges }) => judges.calls + judges.replayed > 0)
  if (judged.length === 0) return ""
  return tableOf(
    "Judges are called after a load has ended. Their tokens are counted in no other figure; identical answers are judged once.",
    ["Load", "Calls", "Verdicts reused", "Prompt tokens", "Output tokens", "Cost"],
    judged.map((level) => {
      const { calls, replayed, promptTokens, completionTokens, usd } = level.judges
      const cells = [
        textCell(count(calls)),
        textCell(count(replayed)),
        figureCell(promptTokens),
        figureCell(completionTokens),
        figureCell(usd, { before: "$" }),
      ]
      return `<tr>${rowHead(`${level.variant}, ${loadWords(level)}`)}${cells.join("")}</tr>`
    }),
  )
}

function usageCells({ peakRssBytes, rssOverIdleBytes, cpuSeconds, gpu, modelBytes, loadMs, reason }: ResourceUsage) {
  const cell = (value: number | null | undefined, scale: number, unit: string) =>
    value == null ? textCell("unknown", "unknown") : textCell(`${significant(value / scale)} ${unit}`)
  return [
    cell(peakRssBytes, 2 ** 20, "MiB"),
    cell(rssOverIdleBytes, 2 ** 20, "MiB"),
    cell(cpuSeconds, 1, "s"),
    cell(gpu?.peakMemoryBytes, 2 ** 20, "MiB"),
    cell(gpu === null ? null : gpu.meanUtilisation * 100, 1, "%"),
    cell(gpu?.energyJoules, 1, "J"),
    cell(modelBytes, 2 ** 20, "MiB"),
    cell(loadMs, 1000, "s"),
    textCell(reason ?? "", "words message unknown"),
  ].join("")
}
