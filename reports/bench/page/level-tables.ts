import type { Answer } from "../../../src/core/generation.ts"
import type { Distribution } from "../../../src/core/report/report.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { errorBudget } from "../../../src/perf/client/error-budget.ts"
import type { ToolColumn } from "../../../src/perf/tool-columns.ts"
import { count, significant } from "../../format/number.ts"
import { loadWords } from "../words/load-words.ts"
import { kneeLevel } from "./capacity.ts"
import { type CellFormat, figureCell, rowHead, tableOf, textCell } from "./cells.ts"
import { escapeHtml } from "./escape-html.ts"

/** One row for each level: what was asked, what came, how fast. The knee is marked. */
export function overviewTable(result: BenchResult): string {
  const share: CellFormat = { scale: 100, after: " %", interval: true }
  const optional = [
    { heading: "Goodput", pick: (level: BenchLevel) => level.goodput, format: share },
    { heading: "Correct goodput", pick: (level: BenchLevel) => level.correctGoodput, format: share },
    { heading: "Quality", pick: (level: BenchLevel) => level.quality, format: { interval: true } },
  ].filter(({ pick }) => result.levels.some((level) => pick(level).status === "known"))
  const rows = result.levels.map((level) => {
    const { speed } = level
    const ofVariant = result.levels.filter(({ variant }) => variant === level.variant)
    const best = level === kneeLevel(result, level.variant, ofVariant)
    const cells = [
      textCell(best ? `${loadWords(level)} (knee)` : loadWords(level), "words"),
      textCell(`${count(level.answered)} of ${count(level.requests)}`),
      figureCell(speed.systemTokensPerSecond),
      figureCell(speed.requestsPerSecond),
      figureCell(level.availability, share),
      ...optional.map(({ pick, format }) => figureCell(pick(level), format)),
    ]
    return `<tr${best ? ' class="best"' : ""}>${rowHead(level.variant)}${cells.join("")}</tr>`
  })
  const headings = ["Variant", { words: "Load" }, "Answered", "Tokens/s", "Requests/s", "Availability"]
  return tableOf(
    "Every load. Throughput is over the window in which every slot was busy; shares have Wilson 95 % intervals.",
    [...headings, ...optional.map(({ heading }) => heading)],
    rows,
  )
}

/** Percentiles with their order-statistic intervals. */
export function percentileTable(result: BenchResult): string {
  const figures: readonly (readonly [string, (level: BenchLevel) => Distribution])[] = [
    ["TTFT", ({ speed }) => speed.ttftMs],
    ["TPOT", ({ speed }) => speed.tpotMs],
    ["ITL", ({ speed }) => speed.itlMs],
    ["E2E", ({ speed }) => speed.e2eMs],
  ]
  // In a closed loop a request is wanted when its slot is free: from intent says the same as from sending.
  const intent = ["TTFT from intent", ({ speed }: BenchLevel) => speed.ttftFromIntentMs] as const
  const figuresOf = ({ plan }: BenchLevel) => (plan.kind === "open" ? [intent, ...figures] : figures)
  const rows = result.levels.flatMap((level) =>
    figuresOf(level).map(([name, pick], i, figures) => {
      const { mean, p50, p90, p95, p99 } = pick(level)
      const cells = [p50, p90, p95, p99].map((figure) => figureCell(figure, { interval: true }))
      const n = p50.status === "known" ? count(p50.n) : "0"
      const head = i === 0 ? rowHead(`${level.variant}, ${loadWords(level)}`, figures.length) : ""
      return `<tr>${head}${textCell(name, "words")}${cells.join("")}${figureCell(mean)}${textCell(n)}</tr>`
    }),
  )
  return tableOf(
    "Milliseconds. Percentiles by rule R-7 with order-statistic 95 % intervals below them; “n too small”: p99 needs 459, p95 90, p90 44.",
    ["Load", { words: "Figure" }, "p50", "p90", "p95", "p99", "mean", "n"],
    rows,
  )
}

/** Which requests were lost, by class, and what that does to the error budget. */
export function outcomeTable(result: BenchResult): string {
  const rows = result.levels.flatMap((level) => {
    const lost = Object.entries(level.outcomes).filter(([outcome]) => outcome !== "ok" && outcome !== "length")
    const { burnRate } = errorBudget(level.availability, result.availabilityTarget)
    return lost.map(([outcome, times], i) => {
      const share = level.requests === 0 ? 0 : times / level.requests
      const bar = `<span class="bar" style="width:${(share * 9).toFixed(2)}rem"></span>`
      const when = whenWords(level, outcome)
      return (
        `<tr>${i === 0 ? rowHead(`${level.variant}, ${loadWords(level)}`, lost.length) : ""}${textCell(outcome, "words")}` +
        `<td class="words">${bar}${count(times)} (${significant(share * 100)} %)</td>${textCell(when, "words")}` +
        `${textCell(level.failureExamples.get(outcome as Answer["outcome"]) ?? "", "words message")}` +
        `${i === 0 ? figureCell(burnRate, { after: " ×" }) : "<td></td>"}</tr>`
      )
    })
  })
  if (rows.length === 0) return "<p>Every request was answered.</p>"
  return tableOf(
    `Lost requests by class. Burn rate: the error rate over what a target of ${result.availabilityTarget * 100} % allows.`,
    ["Load", { words: "Class" }, { words: "Requests" }, { words: "When" }, { words: "For example" }, "Burn rate"],
    rows,
  )
}

/** `in second 3` or `seconds 0 to 12, most in 4`: a burst and a trickle are different troubles. */
function whenWords({ failures }: BenchLevel, outcome: string): string {
  const own = failures.filter((failure) => failure.outcome === outcome)
  const first = own[0]
  const last = own.at(-1)
  if (!first || !last) return ""
  if (first.second === last.second) return `in second ${first.second}`
  const most = own.reduce((best, one) => (one.count > best.count ? one : best), first)
  return `seconds ${first.second} to ${last.second}, most in ${most.second}`
}

/** What four other tools would print of the same log. */
export function toolTable(result: BenchResult): string {
  const rows = result.levels.flatMap((level) =>
    (
      [
        ["TTFT", level.speed.ttftMs.p50, ({ ttftMs }: ToolColumn) => ttftMs],
        ["TPOT", level.speed.tpotMs.p50, ({ tpotMs }: ToolColumn) => tpotMs],
        ["ITL", level.speed.itlMs.p50, ({ itlMs }: ToolColumn) => itlMs],
      ] as const
    ).map(([name, ours, pick], i, figures) => {
      const head = i === 0 ? rowHead(`${level.variant}, ${loadWords(level)}`, figures.length) : ""
      const others = level.tools.map((tool) => figureCell(pick(tool))).join("")
      return `<tr>${head}${textCell(name, "words")}${figureCell(ours)}${others}</tr>`
    }),
  )
  const tools = result.levels[0]?.tools.map(({ tool }) => `as ${tool}`) ?? []
  if (tools.length === 0) return ""
  return tableOf(
    "Median milliseconds. The tools define the same words differently, so that one log gives several figures.",
    ["Load", { words: "Figure" }, "evalkit", ...tools],
    rows,
  )
}

/** Sentences as paragraphs. */
export function paragraphs(sentences: readonly string[]): string {
  return sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join("\n")
}
