import type { TimingError } from "../../core/report/change.ts"
import { significant } from "../../words/number.ts"

/** What is said of a difference of two times that evalkit's own error could have made. */
export function timingErrorWords(error: TimingError, differenceMs: number): string {
  return error === "unmeasured"
    ? "evalkit's own timing error was not measured"
    : `the difference of ${significant(Math.abs(differenceMs), 2)} ms is within evalkit's own timing error`
}
