import type { MetricDesign } from "../../core/report/comparison.ts"
import { amount, counted, listed, whole } from "../../words/phrases.ts"

/** How often the run was read and what that costs, as a sentence; empty where it was read once. */
export function designWords(design: MetricDesign | undefined, alpha: number): string {
  if (!design) return ""
  const { kind, samples, reading, level, betting, more } = design
  const error = `${percent(alpha)} %`
  if (kind === "looks" && betting !== undefined)
    return `Read at look ${reading} of ${counted(samples.length, "look")} that were planned beforehand, by a bound that may be read at any time at ${percent(betting)} %, and by one for this look at ${percent(level ?? alpha)} %: all looks together err in at most ${error}.`
  if (kind === "looks")
    return `Read at look ${reading} of ${counted(samples.length, "look")} that were planned beforehand, at a one-sided level of ${percent(level ?? alpha)} %: all looks together err in at most ${error}.`
  if (samples.length > 1) {
    const readings = samples.length === 2 ? "both" : "all"
    return `This run was extended: it was read after ${listed(samples.map(whole))} samples, and ${readings} readings together err in at most ${error}.`
  }
  return more ? `Read at ${percent(level ?? alpha)} % instead of ${error}, so that the run may be extended.` : ""
}

function percent(share: number): string {
  return amount(share * 100)
}
