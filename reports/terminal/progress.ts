import type { RunProgress, VariantProgress } from "../../src/core/run/progress.ts"
import { count, significant } from "../../src/words/number.ts"
import { percent } from "../../src/words/percent.ts"
import { duration, usd } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { shortNames } from "./short-names.ts"
import { cells, pad, type Screen, type TerminalOptions, terminalScreen, truncate } from "./style.ts"

const variantLimit = 12
const longestName = 20

/**
 * A run under way as lines: one per variant (bar, done/total, rate, time left, tokens/s, in flight/limit, cost, retries,
 * failures by class), one for the whole, one for what it waits for. A pure function; never wider than `columns`.
 */
export function progressLines(progress: RunProgress, options: TerminalOptions): string[] {
  const screen = terminalScreen(options)
  const shown = progress.variants.slice(0, variantLimit)
  const names = shortNames(
    shown.map(({ name }) => screen.text(plainText(name, 80))),
    longestName,
    screen.unicode,
  )
  const nameWidth = Math.max(0, ...names.map(cells))
  const lines = shown.map((variant, i) => variantLine(progress, variant, pad(names[i] ?? "", nameWidth), screen))
  const hidden = progress.variants.length - shown.length
  if (hidden > 0) lines.push(screen.dim(` ${count(hidden)} more variants`))
  lines.push(wholeLine(progress, screen))
  const waiting = waitingText(progress)
  if (waiting) lines.push(` ${screen.warn(truncate(screen.text(waiting), screen.columns - 1, screen.unicode))}`)
  return lines
}

/**
 * A line without colours for logs and CI, the whole run at a glance, and a second one for what it waits for where both are too long.
 *
 * @example progressSummary(progress) // "generating 1,200 of 5,400 (22 %), 48.2/s, 1 m 27 s left, 3 failed, $0.0120"
 */
export function progressSummary(progress: RunProgress): string {
  const total = totals(progress)
  const parts = [
    [progress.stage, ...amountDone(progress, total)].join(" "),
    ...(total.requestsPerSecond === null ? [] : [`${significant(total.requestsPerSecond)}/s`]),
    ...(total.remainingMs === null ? [] : [`${duration(total.remainingMs)} left`]),
    ...(total.failed > 0 ? [`${count(total.failed)} failed`] : []),
    costWords(progress, total),
  ]
  const waiting = waitingText(progress)
  const line = parts.join(", ")
  if (!waiting) return line
  // A log is read at any width; what waits has a line of its own where both are wider than most terminals.
  return line.length + waiting.length + 2 < 80 ? `${line}, ${waiting}` : `${line}\n  ${waiting}`
}

function variantLine({ spentUsd }: RunProgress, variant: VariantProgress, name: string, screen: Screen): string {
  const failures = Object.entries(variant.failures).filter(([, times]) => (times ?? 0) > 0)
  const facts: Fact[] = [
    [0, `${count(variant.finished)}/${count(variant.planned)}`],
    [3, variant.requestsPerSecond === null ? null : `${significant(variant.requestsPerSecond)}/s`],
    [2, variant.remainingMs === null ? null : `${duration(variant.remainingMs)} left`],
    [5, `${variant.inFlight}/${variant.limit} in flight`],
    [7, variant.tokensPerSecond === null ? null : `${significant(variant.tokensPerSecond)} system t/s`],
    // What others spend is counted for all variants together.
    spentUsd !== undefined ? [0, null] : variant.costUsd === null ? [6, "cost unknown"] : [4, usd(variant.costUsd)],
    [4, variant.retries > 0 ? `${count(variant.retries)} retried` : null],
    ...failures.map(([outcome, times]): Fact => [1, `${count(times as number)} ${outcome}`]),
  ]
  const barWidth = screen.columns >= 80 ? 20 : 8
  const head = ` ${name} ${bar(variant, barWidth, screen.unicode)} `
  const text = fitted(facts, "  ", Math.max(1, screen.columns - cells(head) - 1), screen)
  return head + (failures.length > 0 ? screen.bad(text) : text)
}

/** Something to say in few words, or nothing, and how soon it goes where there is no room: the largest rank first. */
type Fact = readonly [rank: number, text: string | null]

/** As many facts as a width has room for, each of them whole. */
function fitted(facts: readonly Fact[], separator: string, width: number, screen: Screen): string {
  const shown = facts.filter(([, text]) => text !== null)
  for (;;) {
    const text = screen.text(shown.map(([, words]) => words).join(separator))
    if (cells(text) <= width || shown.length <= 1) return truncate(text, width, screen.unicode)
    const last = Math.max(...shown.map(([rank]) => rank))
    shown.splice(
      shown.findLastIndex(([rank]) => rank === last),
      1,
    )
  }
}

function wholeLine(progress: RunProgress, screen: Screen): string {
  const total = totals(progress)
  const cost = costWords(progress, total)
  const facts: Fact[] = [
    [0, `${plainText(progress.name, 30)}: ${progress.stage}`],
    ...amountDone(progress, total).map((text): Fact => [1, text]),
    [5, `${duration(progress.elapsedMs)} so far`],
    [3, total.remainingMs === null ? null : `${duration(total.remainingMs)} left`],
    [4, progress.budgetUsd === null ? cost : `${cost} of ${usd(progress.budgetUsd)}`],
    [2, total.failed > 0 ? `${count(total.failed)} failed` : null],
  ]
  return ` ${screen.bold(fitted(facts, " \u00b7 ", screen.columns - 1, screen))}`
}

interface Totals {
  readonly planned: number
  readonly finished: number
  readonly failed: number
  readonly requestsPerSecond: number | null
  readonly remainingMs: number | null
  readonly costUsd: number | null
}

function totals({ stage, variants, spentUsd }: RunProgress): Totals {
  const sum = (read: (variant: VariantProgress) => number) =>
    variants.reduce((total, variantProgress) => total + read(variantProgress), 0)
  const rates = variants.flatMap((variantProgress) =>
    variantProgress.requestsPerSecond === null ? [] : [variantProgress.requestsPerSecond],
  )
  const left = variants.filter((variantProgress) => variantProgress.finished < variantProgress.planned)
  const unknownTime = left.some((variantProgress) => variantProgress.remainingMs === null)
  const requestsPerSecond = rates.length > 0 ? rates.reduce((total, rate) => total + rate, 0) : null
  const answersLeft = left.reduce(
    (total, variantProgress) => total + variantProgress.planned - variantProgress.finished,
    0,
  )
  // Variants are asked side by side, and scored one after the other.
  const sideBySideMs =
    left.length === 0 || unknownTime
      ? null
      : Math.max(...left.map((variantProgress) => variantProgress.remainingMs as number))
  const inTurnMs = left.length === 0 || !requestsPerSecond ? null : (answersLeft / requestsPerSecond) * 1000
  return {
    planned: sum((variantProgress) => variantProgress.planned),
    finished: sum((variantProgress) => variantProgress.finished),
    failed: sum((variantProgress) =>
      Object.values(variantProgress.failures).reduce((total, times) => total + (times ?? 0), 0),
    ),
    requestsPerSecond,
    remainingMs: stage === "scoring" ? inTurnMs : sideBySideMs,
    costUsd: spentUsd !== undefined ? spentUsd : sumOfKnown(variants.map(({ costUsd }) => costUsd)),
  }
}

/** What was spent so far; workers elsewhere count it only where a budget in dollars makes them. */
function costWords({ spentUsd }: RunProgress, { costUsd }: Totals): string {
  if (costUsd !== null) return usd(costUsd)
  return spentUsd === null ? "cost counted at the end" : "cost unknown"
}

/** The sum; null where one of them is. */
function sumOfKnown(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0)
}

function waitingText(progress: RunProgress): string | null {
  const waits = progress.variants.flatMap((variant) => (variant.waiting ? [`${variant.name}: ${variant.waiting}`] : []))
  const parts = [...waits.slice(0, 3), ...(progress.note ? [progress.note] : [])]
  return parts.length > 0 ? plainText(parts.join(" \u00b7 "), 300) : null
}

/** How much of the stage is done; nothing for a stage that does not go answer by answer. */
function amountDone({ stage }: RunProgress, total: Totals): string[] {
  if (stage === "summarising") return []
  return [`${count(total.finished)} of ${count(total.planned)} (${percentDone(total)})`]
}

function percentDone(total: Totals): string {
  if (total.planned === 0) return "0 %"
  return percent(Math.floor((total.finished / total.planned) * 100) / 100)
}

function bar(variant: VariantProgress, width: number, unicode: boolean): string {
  const share = variant.planned === 0 ? 0 : Math.min(1, variant.finished / variant.planned)
  const full = Math.floor(share * width)
  return (unicode ? "\u2588" : "#").repeat(full) + (unicode ? "\u2591" : ".").repeat(width - full)
}
