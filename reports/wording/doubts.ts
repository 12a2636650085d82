import type { Check, RunReport } from "../../src/core/report/report.ts"
import { planBroken } from "./frozen-plan.ts"
import { nearestFirst } from "./nearest-first.ts"

/** @example failedCheck(check) // "check failed (this machine kept up with the answers): …" */
export function failedCheck({ name, message }: Pick<Check, "name" | "message">): string {
  return `check failed (${name}): ${message}`
}

/** What speaks against believing a run's answer, as sentences: about its own candidate first, the gravest first; empty when nothing does. */
export function doubts(report: RunReport): readonly string[] {
  const failed = report.checks.filter((check) => check.status === "failed" && !check.besideVerdict)
  const others = [
    ...report.variants.flatMap(({ name, failure }) => (failure === null ? [] : [`${name} failed: ${failure}`])),
    ...report.comparisons.flatMap(({ identity }) => (identity.warning === null ? [] : [identity.warning])),
    ...failed.map((check) => failedCheck(check).replace("check", "Check")),
    ...report.gate
      .filter((rule) => rule.status !== "passed")
      .map((rule) => `${rule.variant} ${gateWords[rule.status]} the rule "${rule.rule}": ${rule.message}`),
    ...report.sections.flatMap(({ caution }) => caution ?? []),
  ]
  return [...ofTheWhole(report), ...nearestFirst(report, [...checksBesideVerdict(report), ...others])]
}

/** The gravest ones, which no output may show a verdict without: the run ended early, its plan was changed, or a check that belongs
 * beside the verdict failed. */
export function doubtsBesideVerdict(report: RunReport): readonly string[] {
  return [...ofTheWhole(report), ...nearestFirst(report, checksBesideVerdict(report))]
}

function checksBesideVerdict({ checks }: RunReport): readonly string[] {
  return checks.flatMap(({ status, besideVerdict, message }) => (status === "failed" && besideVerdict ? [message] : []))
}

function ofTheWhole(report: RunReport): readonly string[] {
  return [...endedEarly(report), ...[planBroken(report)].filter((text) => text !== null)]
}

function endedEarly({ run, variants }: RunReport): readonly string[] {
  if (run.endedBecause === undefined) return []
  const [finished, planned] = [
    variants.reduce((n, variant) => n + variant.finished, 0),
    variants.reduce((n, variantReport) => n + variantReport.planned, 0),
  ]
  return finished < planned ? [`The run ended early, with ${finished} of ${planned} answers: ${run.endedBecause}`] : []
}

const gateWords = { failed: "does not pass", inconclusive: "may or may not pass", passed: "passes" } as const
