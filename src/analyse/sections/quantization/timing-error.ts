import type { KnownFigure } from "../../../core/report/figure.ts"
import { withinErrorWords } from "../../../wording/verdict/timing-error.ts"

/** A change of a time, marked where evalkit's own error could have made it, or was not measured (null): it proves nothing of the two sides. */
export function withTimingError(figure: KnownFigure, differenceMs: number, errorMs: number | null): KnownFigure {
  const warning = withinErrorWords(differenceMs, errorMs)
  return warning === null ? figure : { ...figure, isApproximate: true, warning }
}
