import type { KnownFigure } from "../../../core/report/figure.ts"
import { timingErrorOf } from "../../../estimate/client-error.ts"
import { timingErrorWords } from "../../../wording/verdict/timing-error.ts"

/** A change of a time, marked where evalkit's own error could have made it, or was not measured (null): it proves nothing of the two sides. */
export function withTimingError(figure: KnownFigure, differenceMs: number, errorMs: number | null): KnownFigure {
  const error = timingErrorOf(differenceMs, errorMs)
  return error === null ? figure : { ...figure, isApproximate: true, warning: timingErrorWords(error, differenceMs) }
}
