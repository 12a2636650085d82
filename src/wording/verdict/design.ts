import type { MetricDesign } from "../../core/report/comparison.ts"
import { listed } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"
import { errorText } from "../../words/percent.ts"

/** How often the run was read and what that costs, as a sentence; empty where it was read once. */
export function designWords(design: MetricDesign | undefined, alpha: number): string {
  if (!design) return ""
  const { kind, samples, reading, level, betting, more } = design
  const error = errorText(alpha)
  if (kind === "looks" && betting !== undefined)
    return `Read at look ${reading} of ${counted(samples.length, "look")} that were planned beforehand, by a bound that may be read at any time at ${errorText(betting)}, and by one for this look at ${errorText(level ?? alpha)}: all looks together err in at most ${error}.`
  if (kind === "looks")
    return `Read at look ${reading} of ${counted(samples.length, "look")} that were planned beforehand, at a one-sided level of ${errorText(level ?? alpha)}: all looks together err in at most ${error}.`
  if (samples.length > 1) {
    const readings = samples.length === 2 ? "both" : "all"
    return `This run was extended: it was read after ${listed(samples.map(count))} samples, and ${readings} readings together err in at most ${error}.`
  }
  return more ? `Read at ${errorText(level ?? alpha)} instead of ${error}, so that the run may be extended.` : ""
}
