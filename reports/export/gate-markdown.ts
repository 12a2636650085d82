import type { Comparison } from "../../src/core/report/comparison.ts"
import type { GateResult } from "../../src/core/report/decision.ts"
import { gateHeadline } from "../wording/gate-headline.ts"
import { markdownText } from "./markdown.ts"

const marks: Record<GateResult["status"], string> = { passed: "✓", failed: "✗", inconclusive: "?" }

/** The gate for a pull request: one row per rule, what failed first, then what the comparisons say. */
export function gateMarkdown(results: readonly GateResult[], comparisons: readonly Comparison[]): string {
  const order: readonly GateResult["status"][] = ["failed", "inconclusive", "passed"]
  const sorted = order.flatMap((status) => results.filter((result) => result.status === status))
  const rows = sorted.map(({ status, variant, rule, message }) =>
    [`${marks[status]} ${status}`, ...[variant, rule, message].map((text) => markdownText(text))].join(" | "),
  )
  return `${[
    `## ${gateHeadline(results)}`,
    ["| | variant | rule | evidence |", "| --- | --- | --- | --- |", ...rows.map((row) => `| ${row} |`)].join("\n"),
    ...(comparisons.length > 0
      ? [comparisons.map(({ sentence }) => `- ${markdownText(sentence, 600)}`).join("\n")]
      : []),
  ].join("\n\n")}\n`
}
