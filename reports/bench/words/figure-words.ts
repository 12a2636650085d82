import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import { significant } from "../../../src/words/number.ts"

/** `12.3 ms`, or `unknown`. */
export function figureWords(figure: Figure, after = "", scale = 1): string {
  const value = figureValue(figure)
  return value === null ? "unknown" : `${significant(value * scale)}${after}`
}
