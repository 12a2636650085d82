import type { AnyMetric } from "../../core/metric/metric.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { amount, levelOf } from "../decide/phrases.ts"

/** What a router's curve says, as one sentence: the chosen cascade beside its last stage alone. @experimental */
export function routerSentence(curve: RouterCurve, metric: Pick<AnyMetric, "unit" | "range">): string {
  const [first = "", ...rest] = curve.stages
  const last = rest.at(-1) ?? first
  const strong = curve.points.at(-1)
  const { chosen } = curve
  const level = (value: number) => levelOf(value, metric)
  if (!strong) return `No cascade of ${first} and ${last} could be simulated.`
  if (!chosen)
    return `Asking ${first} first and ${last} at low confidence saves nothing: no threshold keeps the quality of ${last} alone (${level(strong.quality)}).`
  if (rest.length > 1) return threeStages(curve, level)
  const at = curve.points.find(({ threshold }) => threshold === chosen.threshold)
  const alone = lastAlone(curve)
  const cost =
    at?.costUsd != null && alone !== null && alone > 0 ? `, at ${amount((100 * at.costUsd) / alone)} % of its cost` : ""
  return `Asking ${first} first and ${last} below a confidence of ${amount(chosen.threshold)} scores ${level(chosen.quality)} on held-out samples (${last} alone ${level(strong.quality)}) and asks ${last} for ${amount(100 * chosen.escalated)} % of them${cost}.`
}

/** A cascade of three stages or more beside its last stage alone. */
function threeStages({ stages, points, chosen }: RouterCurve, level: (value: number) => string): string {
  const limits = (chosen?.thresholds ?? []).map((threshold) => amount(threshold)).join(" and ")
  const alone = points.at(-1)?.quality
  const beside = alone === undefined ? "" : ` (the best cascade of these reaches ${level(alone)})`
  return `Asking ${stages.join(", then ")} below a confidence of ${limits} scores ${level(chosen?.quality ?? Number.NaN)} on held-out samples${beside} and goes beyond ${stages[0]} for ${amount(100 * (chosen?.escalated ?? 0))} % of them.`
}

/** What the last stage costs without the first: always escalating pays for both. */
function lastAlone(curve: RouterCurve): number | null {
  const never = curve.points[0]?.costUsd ?? null
  const always = curve.points.at(-1)?.costUsd ?? null
  return never === null || always === null ? null : always - never
}
