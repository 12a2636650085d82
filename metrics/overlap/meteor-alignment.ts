import type { Vocabulary } from "../../src/text/vocabulary.ts"
import { porterStem } from "../text/porter-stemmer.ts"

/** Words that count as the same as a word. */
export type Synonyms = (word: string) => ReadonlySet<string>

/** What counts as a match in addition to equal words. */
export interface MeteorStages {
  /** The stem of a word; NLTK's Porter by default. */
  readonly stem?: (word: string) => string
  /** Looked up by stem; without it the third stage is left out. */
  readonly synonyms?: Synonyms | null
}

/** How the words of a hypothesis are matched to those of a reference. */
export interface MeteorAlignment {
  readonly matches: number
  /** Runs of matches that are adjacent on both sides; at least 1, as NLTK counts. */
  readonly chunks: number
}

/**
 * The alignment of NLTK's METEOR: equal words, then equal stems, then synonyms, each stage greedily from the last word of
 * the hypothesis to the first, taking the last free word of the reference that fits. Synonyms are looked up by stem, as
 * NLTK does (its later stages receive the stems). Linear in the words.
 *
 * @param hypothesis words in lower case
 * @param reference words in lower case
 */
export function meteorAlignment(
  hypothesis: readonly string[],
  reference: readonly string[],
  { stem = porterStem, synonyms = null }: MeteorStages,
  vocabulary: Vocabulary,
): MeteorAlignment {
  vocabulary.clear()
  const matched = new Int32Array(hypothesis.length).fill(-1)
  const free = new Uint8Array(reference.length).fill(1)
  matchEqual(vocabulary.number(hypothesis), vocabulary.number(reference), matched, free)
  const stems = hypothesis.map((word, i) => (matched[i] === -1 ? stem(word) : ""))
  const referenceStems = reference.map((word, j) => (free[j] === 1 ? stem(word) : ""))
  if (free.includes(1)) {
    matchEqual(vocabulary.number(stems), vocabulary.number(referenceStems), matched, free)
    if (synonyms !== null) matchSynonyms(stems, referenceStems, synonyms, matched, free)
  }
  let matches = 0
  let chunks = 1
  for (let i = 0; i < matched.length; i++) {
    const here = matched[i] as number
    if (here === -1) continue
    if (matches > 0 && (i === 0 || matched[i - 1] === -1 || here !== (matched[i - 1] as number) + 1)) chunks++
    matches++
  }
  return { matches, chunks }
}

/** Matches each free word of the hypothesis, from the last, to the last free equal word of the reference. */
function matchEqual(hypothesis: Int32Array, reference: Int32Array, matched: Int32Array, free: Uint8Array): void {
  // The free positions of each word as a stack: the last one on top.
  const top = new Map<number, number>()
  const below = new Int32Array(reference.length)
  for (let j = 0; j < reference.length; j++) {
    if (free[j] === 0) continue
    below[j] = top.get(reference[j] as number) ?? -1
    top.set(reference[j] as number, j)
  }
  for (let i = hypothesis.length - 1; i >= 0; i--) {
    if (matched[i] !== -1) continue
    const j = top.get(hypothesis[i] as number) ?? -1
    if (j === -1) continue
    matched[i] = j
    free[j] = 0
    top.set(hypothesis[i] as number, below[j] as number)
  }
}

/** As {@link matchEqual}, where the word of the reference is among the synonyms of the word of the hypothesis. */
function matchSynonyms(
  stems: readonly string[],
  referenceStems: readonly string[],
  synonyms: Synonyms,
  matched: Int32Array,
  free: Uint8Array,
): void {
  const top = new Map<string, number>()
  const below = new Int32Array(referenceStems.length)
  let left = 0
  for (let j = 0; j < referenceStems.length; j++) {
    if (free[j] === 0) continue
    const stem = referenceStems[j] as string
    below[j] = top.get(stem) ?? -1
    top.set(stem, j)
    left++
  }
  for (let i = stems.length - 1; i >= 0 && left > 0; i--) {
    if (matched[i] !== -1) continue
    let last = -1
    let word = ""
    for (const synonym of synonyms(stems[i] as string)) {
      const j = top.get(synonym) ?? -1
      if (j > last) {
        last = j
        word = synonym
      }
    }
    if (last === -1) continue
    matched[i] = last
    top.set(word, below[last] as number)
    left--
  }
}
