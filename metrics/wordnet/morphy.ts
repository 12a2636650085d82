import type { PartOfSpeech } from "./wordnet-files.ts"

/** Endings that may be removed from a word, and their replacements: WordNet's rules of detachment as in NLTK. */
const detachments: Readonly<Record<PartOfSpeech, readonly (readonly [ending: string, replacement: string])[]>> = {
  noun: [
    ["s", ""],
    ["ses", "s"],
    ["ves", "f"],
    ["xes", "x"],
    ["zes", "z"],
    ["ches", "ch"],
    ["shes", "sh"],
    ["men", "man"],
    ["ies", "y"],
  ],
  verb: [
    ["s", ""],
    ["ies", "y"],
    ["es", "e"],
    ["es", ""],
    ["ed", "e"],
    ["ed", ""],
    ["ing", "e"],
    ["ing", ""],
  ],
  adj: [
    ["er", ""],
    ["est", ""],
    ["er", "e"],
    ["est", "e"],
  ],
  adv: [],
}

/**
 * The lemmas that a word may be a form of, as NLTK's `_morphy` finds them: by the exception list where it has the word,
 * else the word itself and what one detachment makes of it, else further detachments until something is found.
 *
 * @param isLemma whether WordNet has a lemma of that part of speech
 */
export function morphy(
  word: string,
  part: PartOfSpeech,
  exceptions: ReadonlyMap<string, readonly string[]>,
  isLemma: (form: string) => boolean,
): string[] {
  const irregular = exceptions.get(word)
  if (irregular !== undefined) return lemmas([word, ...irregular], isLemma)
  let forms = detached([word], part)
  let bases = lemmas([word, ...forms], isLemma)
  while (bases.length === 0 && forms.length > 0) {
    forms = detached(forms, part)
    bases = lemmas(forms, isLemma)
  }
  return bases
}

function lemmas(forms: readonly string[], isLemma: (form: string) => boolean): string[] {
  return [...new Set(forms)].filter(isLemma)
}

function detached(forms: readonly string[], part: PartOfSpeech): string[] {
  const result = new Set<string>()
  for (const form of forms)
    for (const [ending, replacement] of detachments[part])
      if (form.endsWith(ending)) result.add(form.slice(0, -ending.length) + replacement)
  return [...result]
}
