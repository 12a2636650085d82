import { decodedComponent } from "../../../src/core/decoded-component.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { decidingComparison } from "../../view-model/comparisons.ts"
import { inAddress } from "../address.ts"

/** Variants that the list of samples has columns for. */
export const maxListed = 8

/** The variants that the list shows until a reader chooses: the first ones, and the two that the report's answer is about. */
export function usuallyListed(report: RunReport, variants: readonly string[]): readonly string[] {
  const deciding = decidingComparison(report)
  const about = deciding ? [deciding.baseline, deciding.candidate] : []
  const ordered = [...new Set([...variants.filter((name) => about.includes(name)), ...variants])]
  const first = ordered.slice(0, maxListed)
  return variants.filter((name) => first.includes(name))
}

/** The variants of an address, in the order of the report; those of `usual` where it names none of them. */
export function readListed(text: string, variants: readonly string[], defaults: readonly string[]): readonly string[] {
  const asked = new Set(namesIn(text))
  const names = variants.filter((name) => asked.has(inAddress(name))).slice(0, maxListed)
  return names.length > 0 ? names : defaults
}

/** How an address holds variants, whatever signs are in their names; empty for the usual ones. */
export function writeListed(chosen: readonly string[], defaults: readonly string[]): string {
  const text = (names: readonly string[]) => names.map((name) => encodeURIComponent(inAddress(name))).join(",")
  return text(chosen) === text(defaults) ? "" : text(chosen)
}

/** The names that an address asks for; what cannot be read is taken as it stands. */
export function namesIn(text: string): readonly string[] {
  return text.split(",").map(decodedComponent)
}
