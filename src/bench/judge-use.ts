import { type Figure, unknown } from "../core/report/figure.ts"
import type { Usage } from "../core/usage.ts"
import type { JudgeUse } from "../perf/bench/bench-level.ts"
import { sum } from "../stats/sum.ts"
import { benchMethods, benchReasons } from "../words/reasons/bench.ts"
import { costReasons } from "../words/reasons/cost.ts"

/** A model that was asked about an answer. @experimental */
export interface JudgeCall {
  /** Whether the reply came from the cache: then nothing was spent. */
  readonly replayed: boolean
  readonly usage: Usage
  /** In US dollars; null when the price or the tokens are unknown. */
  readonly usd: number | null
}

/** Sums what judges used; replies from the cache cost nothing. */
export function judgeUse(asked: readonly JudgeCall[]): JudgeUse {
  const calls = asked.filter(({ replayed }) => !replayed)
  const total = (pick: (call: JudgeCall) => number | null, missing: string, method: string): Figure => {
    if (asked.length === 0) return unknown(costReasons.noJudge)
    const values = calls.map(pick)
    if (values.includes(null)) return unknown(missing)
    return { status: "known", value: sum(values.map((value) => value ?? 0)), n: calls.length, method }
  }
  const uncounted = benchReasons.noJudgeTokens
  const tokens = benchMethods.judgeTokens
  return {
    calls: calls.length,
    replayed: asked.length - calls.length,
    promptTokens: total(({ usage }) => usage.promptTokens, uncounted, tokens),
    completionTokens: total(({ usage }) => usage.completionTokens, uncounted, tokens),
    usd: total(({ usd }) => usd, benchReasons.noJudgePrice, benchMethods.judgeUsd),
  }
}
