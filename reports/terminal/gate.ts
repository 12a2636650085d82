import type { Comparison } from "../../src/core/report/comparison.ts"
import type { GateResult } from "../../src/core/report/decision.ts"
import { plainText } from "../../src/words/text.ts"
import { gateHeadline } from "../wording/gate-headline.ts"

/** The gate for the terminal: how it ended, then rule by rule, then what the comparisons say. */
export function gateText(results: readonly GateResult[], comparisons: readonly Comparison[]): string {
  const width = Math.max(...results.map(({ status }) => status.length))
  const lines = [
    gateHeadline(results),
    ...results.map(
      ({ status, variant, rule, message }) =>
        `  ${status.padEnd(width)}   ${plainText(`${variant}: ${rule}: ${message}`, 300)}`,
    ),
    ...comparisons.map(({ sentence }) => `  ${plainText(sentence, 600)}`),
  ]
  return `${lines.join("\n")}\n`
}
