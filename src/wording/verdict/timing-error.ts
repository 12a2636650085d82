/**
 * What is said of a difference of two times that evalkit's own error could make; null where it is longer than that.
 *
 * @param errorMs null: it was not measured
 */
export function withinErrorWords(differenceMs: number, errorMs: number | null): string | null {
  if (errorMs === null) return "evalkit's own timing error was not measured"
  const size = Math.abs(differenceMs)
  return errorMs === 0 || size > errorMs
    ? null
    : `the difference of ${size.toPrecision(2)} ms is within evalkit's own timing error`
}
