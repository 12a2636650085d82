import type { GateResult } from "../../src/core/report/decision.ts"

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
