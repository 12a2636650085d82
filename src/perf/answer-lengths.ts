import { type Figure, unknown } from "../core/report/figure.ts"
import type { Distribution } from "../core/report/report.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { distributionOf } from "./distribution.ts"
import { wilsonRate } from "./wilson.ts"

/** How long the answers were that figures are taken from, in the service's own tokens. @experimental */
export interface AnswerLengths {
  /** Tokens of each answer, as they came. */
  readonly tokens: Distribution
  /** Mean tokens that were asked for, or allowed; unknown where no limit was sent. */
  readonly asked: Figure
  /** Share of answers that were cut off at their token limit. */
  readonly atLimit: Figure
  /** Share that ended before the length that was asked for; unknown where no exact length was asked for. */
  readonly short: Figure
}

/** Lengths that differ by less than this count as alike. */
export const alikeShare = 0.1

/**
 * Collects the lengths of answers.
 *
 * @param isFixed answers of exactly the asked length were wanted: a shorter one is short
 */
export function createAnswerLengths(isFixed: boolean, alpha = 0.05) {
  const tokens = createCompactList()
  const asked = createCompactList()
  let [answered, atLimit, short] = [0, 0, 0]
  return {
    /** @param answer one that was answered */
    add(answer: {
      readonly outcome: string
      readonly completionTokens: number | null
      /** Null: no limit was sent. */
      readonly askedTokens: number | null
    }): void {
      const { outcome, completionTokens, askedTokens } = answer
      answered++
      if (outcome === "length") atLimit++
      if (completionTokens !== null) tokens.push(completionTokens)
      if (askedTokens === null) return
      asked.push(askedTokens)
      // Without a count: one that ended by itself did not reach its limit.
      if (completionTokens === null ? outcome !== "length" : completionTokens < askedTokens) short++
    },
    figures(): AnswerLengths {
      const mean = asked.values().reduce((sum, one) => sum + one, 0) / asked.length
      return {
        tokens: distributionOf(tokens.sorted(), speedReasons.noTokenCount, "", alpha),
        asked:
          asked.length === 0
            ? unknown(speedReasons.noTokenLimit)
            : { status: "known", value: mean, n: asked.length, method: "mean" },
        atLimit: wilsonRate(atLimit, answered, speedReasons.nothingAnswered, alpha),
        short: isFixed
          ? wilsonRate(short, asked.length, speedReasons.nothingAnswered, alpha)
          : unknown(speedReasons.noExactLength),
      }
    },
  }
}

/** Whether two mean lengths are so far apart that times of whole answers say little; false where one is unknown. */
export function areLengthsApart(a: number | null, b: number | null): boolean {
  if (a === null || b === null || a <= 0 || b <= 0) return false
  return Math.max(a, b) > (1 + alikeShare) * Math.min(a, b)
}
