import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link letterCase}. @experimental */
export interface LetterCaseOptions {
  readonly name?: string
  /** Default `lower`. */
  readonly to?: "lower" | "upper" | "title" | "alternating"
}

/**
 * Another letter case for the whole text.
 *
 * @example letterCase({ to: "upper" }) // "Who is Anna?" → "WHO IS ANNA?"
 * @public
 */
export function letterCase(options: LetterCaseOptions = {}): Perturbation {
  checkOptions("perturb.letterCase", options)
  const { to = "lower", name = `case-${to}` } = options
  return textPerturbation({
    name,
    identity: { to },
    change(text) {
      if (to === "lower") return text.toLowerCase()
      if (to === "upper") return text.toUpperCase()
      if (to === "title") return text.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1))
      let letters = 0
      return text.replace(/\p{L}/gu, (letter) => (letters++ % 2 ? letter.toUpperCase() : letter.toLowerCase()))
    },
  })
}
