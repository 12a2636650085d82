import type { Generation } from "../../core/generation.ts"
import type { VariantDifference, VariantReport } from "../../core/report/report.ts"
import { hidden } from "../../text/redact.ts"

/** Counts what a variant's answers came without, the requests that it took to find out, and answers that a secret was taken out of. */
export function createDifferences() {
  const found = new Map<string, VariantDifference>()
  const answeredBy = new Map<string, number>()
  let refusedRequests = 0
  let redactedAnswers = 0
  const sorted = (): [string, number][] => [...answeredBy].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    add({ differences = [], refused = [], answeredBy: by, text }: Generation): void {
      if (text.includes(hidden)) redactedAnswers++
      if (by !== undefined) answeredBy.set(by, (answeredBy.get(by) ?? 0) + 1)
      refusedRequests += refused.length
      for (const one of differences)
        found.set(one.parameter, { ...one, answers: (found.get(one.parameter)?.answers ?? 0) + 1 })
    },
    figures(): Pick<VariantReport, "differences" | "refusedRequests" | "redactedAnswers" | "answeredBy"> {
      return {
        ...(found.size > 0 && { differences: [...found.values()] }),
        ...(answeredBy.size > 0 && { answeredBy: Object.fromEntries(sorted()) }),
        ...(refusedRequests > 0 && { refusedRequests }),
        ...(redactedAnswers > 0 && { redactedAnswers }),
      }
    },
    notes(): readonly string[] {
      if (answeredBy.size === 0) return []
      return [
        `answered by ${sorted()
          .map(([label, answers]) => `${label}: ${answers}`)
          .join(", ")}`,
      ]
    },
  }
}
