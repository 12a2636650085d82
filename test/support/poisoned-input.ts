import type { ReportInput, ReportSample } from "../../src/core/report.ts"
import { poisoned } from "./poison.ts"

/** An input whose report, samples and answers all hold `payload`. */
export function poisonedInput(input: ReportInput, payload: string): ReportInput {
  return {
    report: poisoned(input.report, payload),
    async *samples() {
      for await (const sample of input.samples()) yield poisonedSample(sample, payload)
    },
  }
}

function poisonedSample(one: ReportSample, payload: string): ReportSample {
  return poisoned(one, payload)
}
