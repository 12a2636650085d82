import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link whitespace}. @experimental */
export interface WhitespaceOptions {
  readonly name?: string
  /** Share of the gaps between words that are widened. Default 0.3. */
  readonly rate?: number
}

const gaps = ["  ", "   ", "\t", "\n", " \n"]

/**
 * More white space between words and around the text: doubled blanks, tabs, line breaks. The words stay as they are.
 *
 * @example whitespace() // "Who is Anna?" → " Who  is\nAnna? "
 * @public
 */
export function whitespace(options: WhitespaceOptions = {}): Perturbation {
  checkOptions("perturb.whitespace", options)
  const { name = "whitespace", rate = 0.3 } = options
  return textPerturbation({
    name,
    identity: { rate },
    change: (text, random) =>
      ` ${text.replace(/ /g, (gap) => (random.next() < rate ? (gaps[random.integer(gaps.length)] as string) : gap))} `,
  })
}
