import type { ReportSection, VariantReport } from "../../src/core/report.ts"

/** One section of every kind that the page draws. */
export function syntheticSections(variants: readonly VariantReport[]): ReportSection[] {
  void variants
  return []
}
