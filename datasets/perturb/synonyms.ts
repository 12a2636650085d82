import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Knows the synonyms of English words, in lower case. WordNet, as `loadWordNet` opens it, is one. @experimental */
export interface Thesaurus {
  synonyms(word: string): Iterable<string>
}

/** Options of {@link synonyms}. @experimental */
export interface SynonymsOptions {
  readonly name?: string
  /** Opens the thesaurus on first use. */
  readonly thesaurus: () => Promise<Thesaurus>
  /** Share of the words with synonyms that are replaced; at least one. Default 0.2. */
  readonly rate?: number
  /** Words with more synonyms than this have too many senses to be replaced safely. Default 8. */
  readonly most?: number
}

/**
 * Words replaced by synonyms. A thesaurus does not know which sense is meant: words of many senses are left alone, and
 * some replacements still change the meaning; read a few before you rely on the loss.
 *
 * @example synonyms({ thesaurus: loadWordNet }) // "Who repaired the car?" → "Who fixed the car?"
 * @public
 */
export function synonyms(options: SynonymsOptions): Perturbation {
  checkOptions("perturb.synonyms", options)
  const { name = "synonyms", thesaurus, rate = 0.2, most = 8 } = options
  let open: Thesaurus | undefined
  return textPerturbation({
    name,
    identity: { rate, most },
    async prepare() {
      open ??= await thesaurus()
    },
    change(text, random) {
      const choices = new Map<number, readonly string[]>()
      for (const word of text.matchAll(/\b[a-z]{4,}\b/g)) {
        const others = [...(open?.synonyms(word[0]) ?? [])].filter(
          (other) => /^[a-z]+$/.test(other) && other !== word[0],
        )
        if (others.length > 0 && others.length <= most) choices.set(word.index, others.sort())
      }
      const count = Math.max(1, Math.round(rate * choices.size))
      const chosen = new Set(random.shuffle([...choices.keys()]).slice(0, count))
      return text.replace(/\b[a-z]{4,}\b/g, (word, at: number) => {
        const others = choices.get(at)
        return others && chosen.has(at) ? (others[random.integer(others.length)] as string) : word
      })
    },
  })
}
