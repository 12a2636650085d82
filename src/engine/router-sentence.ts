import type { RouterCurve } from "../core/frontier.ts"
import type { AnyMetric } from "../core/metric.ts"
import { amount, wordingOf } from "./phrases.ts"

/** What a router's curve says, as one sentence: the chosen cascade beside its last stage alone. */
export function routerSentence(curve: RouterCurve, metric: Pick<AnyMetric, "unit" | "range">): string {
  const [first = "", ...rest] = curve.stages
  const last = rest.at(-1) ?? first
  const strong = curve.points.at(-1)
  const { chosen } = curve
  const wording = wordingOf(metric)
  const level = (value: number) => (wording.unit === "points" ? `${amount(value * 100)} %` : amount(value))
  if (!strong) return `No cascade of ${first} and ${last} could be simulated.`
  if (!chosen)
    return `Asking ${first} first and ${last} when unsure saves nothing: no threshold keeps the quality of ${last} alone (${level(strong.quality)}).`
  const at = curve.points.find(({ threshold }) => threshold === chosen.threshold)
  const alone = lastAlone(curve)
  const cost =
    at?.costUsd != null && alone !== null && alone > 0 ? `, at ${amount((100 * at.costUsd) / alone)} % of its cost` : ""
  return `Asking ${first} first and ${last} below a confidence of ${amount(chosen.threshold)} scores ${level(chosen.quality)} on held-out samples (${last} alone ${level(strong.quality)}) and asks ${last} for ${amount(100 * chosen.escalated)} % of them${cost}.`
}

/** What the last stage costs without the first: always escalating pays for both. */
function lastAlone(curve: RouterCurve): number | null {
  const never = curve.points[0]?.costUsd ?? null
  const always = curve.points.at(-1)?.costUsd ?? null
  return never === null || always === null ? null : always - never
}
