import type { PlanFinding, RunDifference } from "../../src/core/report/frozen-plan.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { triesWords } from "../../src/wording/sections/retry.ts"
import { dayWords } from "../../src/words/day.ts"
import { errorText } from "../../src/words/percent.ts"
import { plainText } from "../../src/words/text.ts"
import { differenceWords } from "./difference-words.ts"

/** "Decided by the plan of 12 November 2026."; null where no plan was frozen, or the report is not decided by it. */
export function planKept({ plan }: Pick<RunReport, "plan">): string | null {
  return plan && isKept(plan) ? `Decided by the plan of ${dayWords(plan.frozenAt)}.` : null
}

/** Why a report is not decided by the plan that was frozen for its config alone, such as one of a retry; null where it is, or where there is none. */
export function planBroken({ plan }: Pick<RunReport, "plan">): string | null {
  if (!plan || isKept(plan)) return null
  const { frozenAt, startedAt, differences, retry } = plan
  const alpha = retry && differences.find(({ path, before }) => path === "alpha" && Number(before) === retry.firstAlpha)
  if (
    !isLate(plan) &&
    alpha &&
    differences.every((difference) => difference === alpha || retry.variants.includes(difference.of ?? ""))
  )
    return `Decided by the rules of the plan of ${dayWords(frozenAt)}, with prompts that were changed after it (${plainText(retry.variants.join(", "), 200)}): ${triesWords(retry.triesBefore, retry.variants.length)}, at ${errorText(Number(alpha.after))} instead of ${errorText(retry.firstAlpha)}.`
  const late = isLate(plan) ? [`it was frozen at ${minute(frozenAt)}, after the run began at ${minute(startedAt)}`] : []
  const changes = differences.length === 0 ? [] : [`changed: ${differences.map(changeWords).join("; ")}`]
  return `Not decided by the plan of ${dayWords(frozenAt)}: ${[...late, ...changes].join("; ")}.`
}

const isLate = ({ frozenAt, startedAt }: PlanFinding) => Date.parse(frozenAt) > Date.parse(startedAt)
const isKept = (plan: PlanFinding) => !isLate(plan) && plan.differences.length === 0

const minute = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`

const nouns = {
  data: "data set ",
  variant: "variant ",
  metric: "metric ",
  setting: "",
  version: "version of ",
} as const

/** "margin 0.05 instead of 0.03", "metric chrf added". */
export function changeWords(difference: RunDifference): string {
  const { about, before, after } = difference
  const what = `${nouns[about]}${differenceWords(difference)}`
  const [now, then] = [after, before].map((value) => plainText(value ?? "", 32))
  if (before === null) return difference.keys.length === 0 ? `${what} added` : `${what} added (${now})`
  if (after === null) return difference.keys.length === 0 ? `${what} left out` : `${what} left out (${then})`
  return `${what} ${now} instead of ${then}`
}
