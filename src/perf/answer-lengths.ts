import { type Figure, unknown } from "../core/report/figure.ts"
import type { Distribution } from "../core/report/report.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { inOrder } from "../stats/in-order.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { seriesDistribution } from "./distribution.ts"
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
  /** A limit of the service's own, below the one that was sent, at which many answers end; absent where none shows. */
  readonly serviceLimit?: {
    readonly tokens: number
    /** Answers of exactly so many tokens that were cut off, or whose end nobody explains. */
    readonly count: number
    readonly answers: number
    /** The limit that was sent. */
    readonly askedTokens: number
  }
}

/** Fewest answers of one length, and their least share of all, that chance does not explain; and the least length that is a limit. */
const pileUp = { count: 5, share: 0.2, tokens: 16 }

/** Lengths that differ by less than this count as alike. */
export const alikeShare = 0.1

/**
 * Collects the lengths of answers.
 *
 * @param isFixed answers of exactly the asked length were wanted: a shorter one is short
 */
export function createAnswerLengths(isFixed: boolean, alpha = 0.05) {
  const [tokens, orders] = [createCompactList(), createCompactList()]
  const asked = createCompactList()
  let [answered, atLimit, short] = [0, 0, 0]
  /** Answers by their length, where it is a round one below the limit that was sent. */
  const round = new Map<number, { count: number; readonly askedTokens: number }>()
  const serviceLimit = (): AnswerLengths["serviceLimit"] | null => {
    const [most] = [...round].sort(([, a], [, b]) => b.count - a.count)
    if (!most || most[1].count < Math.max(pileUp.count, pileUp.share * answered)) return null
    return { tokens: most[0], ...most[1], answers: answered }
  }
  return {
    /** @param answer one that was answered */
    add(answer: {
      readonly outcome: string
      readonly completionTokens: number | null
      /** Null: no limit was sent. */
      readonly askedTokens: number | null
      /** The service did not state why it ended. */
      readonly isEndUnstated?: boolean
      /** Ascending as they were due, where answers come in another order: like lengths in a row are worth less. */
      readonly order?: number
    }): void {
      const { outcome, completionTokens, askedTokens, isEndUnstated = false, order = 0 } = answer
      answered++
      if (outcome === "length") atLimit++
      if (completionTokens !== null) {
        tokens.push(completionTokens)
        orders.push(order)
      }
      if (askedTokens === null) return
      asked.push(askedTokens)
      // Without a count: one that ended by itself did not reach its limit.
      if (completionTokens === null ? outcome !== "length" : completionTokens < askedTokens) short++
      if (completionTokens === null || completionTokens >= askedTokens || !isRound(completionTokens)) return
      if (outcome !== "length" && !isEndUnstated) return
      const same = round.get(completionTokens) ?? { count: 0, askedTokens }
      round.set(completionTokens, { ...same, count: same.count + 1 })
    },
    figures(): AnswerLengths {
      const limit = serviceLimit()
      const mean = asked.values().reduce((sum, length) => sum + length, 0) / asked.length
      return {
        tokens: seriesDistribution(inOrder(orders.values(), tokens.values()), speedReasons.noTokenCount, alpha),
        asked:
          asked.length === 0
            ? unknown(speedReasons.noTokenLimit)
            : { status: "known", value: mean, n: asked.length, method: "mean" },
        atLimit: wilsonRate(atLimit, answered, speedReasons.nothingAnswered, alpha),
        short: isFixed
          ? wilsonRate(short, asked.length, speedReasons.nothingAnswered, alpha)
          : unknown(speedReasons.noExactLength),
        ...(limit && { serviceLimit: limit }),
      }
    },
  }
}

/** Limits are powers of two or hundreds. */
function isRound(tokens: number): boolean {
  return tokens >= pileUp.tokens && (Number.isInteger(Math.log2(tokens)) || tokens % 100 === 0)
}

/** Whether two mean lengths are so far apart that times of whole answers say little; false where one is unknown. */
export function doLengthsDiffer(a: number | null, b: number | null): boolean {
  if (a === null || b === null || a <= 0 || b <= 0) return false
  return Math.max(a, b) > (1 + alikeShare) * Math.min(a, b)
}
