import type { VariantReport } from "../../../src/core/report/report.ts"
import { isHardwarePrice, usdPerMillionTokens } from "../../../src/cost/hardware.ts"
import { usd } from "../../../src/words/quantity.ts"

/** What one answer cost in words, or why that is unknown. */
export type AnswerCost = { readonly known: string } | { readonly unknown: string }

/**
 * What one answer cost: as it was billed, or its share of a machine that is paid by the hour, shared out by output tokens as the
 * variant's own figure is.
 *
 * @param billed dollars of the call by its price per token; null where that is unknown
 * @param tokens output tokens of the answer; null where nobody counted them
 * @example answerCost(onHardware, null, 20) // { known: "$0.00000350, its share of the machine" }
 */
export function answerCost(variant: VariantReport, billed: number | null, tokens: number | null): AnswerCost {
  if (billed !== null) return { known: usd(billed) }
  const { perQueryUsd, price = null } = variant.cost
  if (!isHardwarePrice(price))
    return { unknown: perQueryUsd.status === "unknown" ? perQueryUsd.reason : "no cost is on record for this answer" }
  const { systemTokensPerSecond } = variant.speed
  if (systemTokensPerSecond.status === "unknown")
    return {
      unknown: `the machine is paid for its time, and its throughput is unknown: ${systemTokensPerSecond.reason}`,
    }
  if (tokens === null)
    return { unknown: "the machine's cost is shared out by output tokens, and those of this answer were not counted" }
  const each = (usdPerMillionTokens(price, systemTokensPerSecond.value) / 1e6) * tokens
  return { known: `${usd(each)}, its share of the machine` }
}
