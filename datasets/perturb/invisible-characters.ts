import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link invisibleCharacters}. @experimental */
export interface InvisibleCharactersOptions {
  readonly name?: string
  /** Characters put in per character of text. Default 0.05. */
  readonly rate?: number
}

/** Zero-width space, non-joiner and joiner, word joiner, soft hyphen. */
export const invisible = ["\u200b", "\u200c", "\u200d", "\u2060", "\u00ad"] as const

/**
 * Characters that are not drawn, inserted between letters, as they come with text copied from web pages or documents.
 *
 * @example invisibleCharacters() // "Who is Anna?", twelve characters that are drawn and one that is not
 * @public
 */
export function invisibleCharacters(options: InvisibleCharactersOptions = {}): Perturbation {
  checkOptions("perturb.invisibleCharacters", options)
  const { name = "invisible-characters", rate = 0.05 } = options
  return textPerturbation({
    name,
    identity: { rate },
    change: (text, random) =>
      text.replace(/\p{L}(?=\p{L})/gu, (letter) =>
        random.next() < rate ? letter + (invisible[random.integer(invisible.length)] as string) : letter,
      ),
  })
}
