import type { Generation } from "../../core/generation.ts"
import type { VariantDifference, VariantReport } from "../../core/report/report.ts"

/** Counts what a variant's answers came without, and the requests that it took to find out. */
export function createDifferences() {
  const found = new Map<string, VariantDifference>()
  let refusedRequests = 0
  return {
    add({ differences = [], refused = [] }: Generation): void {
      refusedRequests += refused.length
      for (const one of differences)
        found.set(one.parameter, { ...one, answers: (found.get(one.parameter)?.answers ?? 0) + 1 })
    },
    figures(): Pick<VariantReport, "differences" | "refusedRequests"> {
      return {
        ...(found.size > 0 && { differences: [...found.values()] }),
        ...(refusedRequests > 0 && { refusedRequests }),
      }
    },
  }
}
