import { unscored } from "../src/core/metric/metric.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import type { UnscoredCode } from "../src/core/metric/unscored-code.ts"
import type { JudgeVerdict } from "../src/core/report/section-judge.ts"
import { firstFailure, type Reply } from "./ask.ts"
import type { JudgeOptions } from "./judge.ts"

/** One repeat of a verdict: its score, the choice behind it, and the judge's reason. `score: null`: it abstained. */
export interface Said {
  readonly score: number | null
  readonly choice: number | null
  readonly reason: string | null
  readonly listing?: { readonly worstFirst: number | null; readonly bestFirst: number | null }
  readonly order?: { readonly first: number | null; readonly second: number | null }
}

/**
 * Asks for a verdict as often as the options say and joins the repeats: the score is the mean of those that have one, the
 * choice the most frequent (the lower one when two are equally frequent).
 */
export async function askRepeats(
  options: JudgeOptions,
  tools: MetricTools,
  once: (repeat: number) => Promise<readonly Reply<Said>[]>,
): Promise<JudgeVerdict> {
  const count = options.repeats ?? 1
  const perRepeat = await Promise.all(Array.from({ length: count }, (_, repeat) => once(repeat)))
  const replies = perRepeat.flat()
  const said = replies.flatMap(({ value }) => (value ? [value] : []))
  const scores = said.flatMap(({ score }) => (score === null ? [] : [score]))
  const orders = said.flatMap(({ order }) => (order ? [order] : []))
  const listings = said.flatMap(({ listing }) => (listing ? [listing] : []))
  const first = said.find(({ score }) => score !== null) ?? said[0]
  const silence = said.length > 0 ? unscored("judge_abstained") : firstFailure(replies)
  return {
    judge: options.judge ?? options.provider.label,
    model: options.provider.model,
    status: scores.length > 0 ? "scored" : said.length > 0 ? "abstained" : "unscored",
    score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    choice: mode(said.flatMap(({ choice }) => (choice === null ? [] : [choice]))),
    reason: scores.length > 0 ? (first?.reason ?? null) : silence.reason,
    ...(scores.length === 0 && { code: silence.code }),
    repeats: scores,
    ...(orders.length > 0 && { orders }),
    ...(listings.length > 0 && { listings }),
    calls: replies.reduce((sum, { calls }) => sum + calls, 0),
    repaired: replies.filter(({ repaired }) => repaired).length,
    failed: replies.filter(({ value }) => value === null).length,
    seconds: replies.reduce((sum, { seconds }) => sum + seconds, 0),
    costUsd: replies.reduce<number | null>(
      (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
      0,
    ),
    alsoCandidate: tools.candidateModels.includes(options.provider.model),
  }
}

/** A verdict that was never asked for, because something that the judge needs is missing. */
export function notAsked(options: JudgeOptions, code: UnscoredCode, tools: MetricTools): JudgeVerdict {
  return {
    judge: options.judge ?? options.provider.label,
    model: options.provider.model,
    status: "unscored",
    score: null,
    choice: null,
    reason: code,
    code,
    repeats: [],
    calls: 0,
    repaired: 0,
    failed: 0,
    seconds: 0,
    costUsd: 0,
    alsoCandidate: tools.candidateModels.includes(options.provider.model),
  }
}

/** The value that occurs most often; the smallest of those when several do; null of nothing. */
export function mode(values: readonly number[]): number | null {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b)
  return sorted[0]?.[0] ?? null
}
