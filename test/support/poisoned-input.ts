import type { ReportInput } from "../../src/core/report/report.ts"
import { poisoned } from "./poison.ts"

/** An input whose report, samples and answers all hold a payload. */
export function poisonedInput(input: ReportInput, payload: string | ((text: string) => string)): ReportInput {
  return {
    report: poisoned(input.report, payload),
    async *samples(filter) {
      for await (const sample of input.samples(filter)) yield poisoned(sample, payload)
    },
  }
}
