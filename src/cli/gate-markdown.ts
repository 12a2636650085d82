import { markdownText } from "../../reports/export/markdown.ts"
import type { Comparison } from "../core/report/comparison.ts"
import type { GateResult } from "../core/report/decision.ts"

const marks: Record<GateResult["status"], string> = { passed: "✓", failed: "✗", inconclusive: "?" }

/** How the gate ended, as the first line of every output: `Gate failed: 1 of 3 rules`. */
export function gateHeadline(results: readonly GateResult[]): string {
  const count = (status: GateResult["status"]) => results.filter((result) => result.status === status).length
  const [failed, open] = [count("failed"), count("inconclusive")]
  const of = `of ${results.length} ${results.length === 1 ? "rule" : "rules"}`
  if (failed > 0) return `Gate failed: ${failed} ${of}${open > 0 ? `, ${open} inconclusive` : ""}`
  return open > 0
    ? `Gate inconclusive: ${open} ${of} cannot be decided on this evidence`
    : `Gate passed: ${results.length} ${of}`
}

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
