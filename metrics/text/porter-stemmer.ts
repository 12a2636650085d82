// Porter's algorithm (1980) with the departures that NLTK's PorterStemmer makes in its default mode NLTK_EXTENSIONS, which
// is what rouge_score and NLTK's METEOR use. The package natural has Porter's stemmer too, but not this one: 169 of 14,788
// words differ (day, play, today …), so it is not used here.

const irregular = new Map([
  ["sky", "sky"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["news", "news"],
  ["innings", "inning"],
  ["inning", "inning"],
  ["outings", "outing"],
  ["outing", "outing"],
  ["cannings", "canning"],
  ["canning", "canning"],
  ["howe", "howe"],
  ["proceed", "proceed"],
  ["exceed", "exceed"],
  ["succeed", "succeed"],
])

const cacheLimit = 50_000
const cache = new Map<string, string>()

/**
 * The stem of a lower-case word by Porter's algorithm as NLTK 3.8 has it. Characters other than a–z count as consonants.
 * Linear in the word; stems of up to 50,000 words are kept.
 *
 * @example porterStem("relational") // "relat"
 */
export function porterStem(word: string): string {
  const existing = cache.get(word)
  if (existing !== undefined) return existing
  const stem = stemOf(word)
  if (word.length <= 40) {
    if (cache.size >= cacheLimit) cache.clear()
    cache.set(word, stem)
  }
  return stem
}

function stemOf(word: string): string {
  const exception = irregular.get(word)
  if (exception !== undefined) return exception
  if (word.length <= 2) return word
  return step5(derivational(step1c(step1b(step1a(word)))))
}

function step1a(word: string): string {
  if (!word.endsWith("s")) return word
  if (word.endsWith("ies")) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith("sses")) return word.slice(0, -2)
  return word.endsWith("ss") ? word : word.slice(0, -1)
}

function step1b(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const stem = word.endsWith("ed") ? word.slice(0, -2) : word.endsWith("ing") ? word.slice(0, -3) : undefined
  if (stem === undefined || !consonants(stem).includes(0)) return word
  if (stem.endsWith("at") || stem.endsWith("bl") || stem.endsWith("iz")) return `${stem}e`
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsConsonantVowelConsonant(stem) ? `${stem}e` : stem
}

function step1c(word: string): string {
  if (!word.endsWith("y")) return word
  const stem = word.slice(0, -1)
  return stem.length > 1 && consonants(stem).at(-1) === 1 ? `${stem}i` : word
}

/** A suffix, what takes its place, and how often "vowels then consonants" must occur before it. */
type Rule = readonly [suffix: string, replacement: string]

const step2: readonly Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["fulli", "ful"],
  ["logi", "log"],
]

const step3: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
]

const step4 = [
  ..."al ance ence er ic able ible ant ement ment ent".split(" "),
  ..."ion ou ism ate iti ous ive ize".split(" "),
]

/** Steps 2 to 4. Of each step only the first suffix that fits is tried. */
function derivational(word: string): string {
  let stem = word
  // "alli" goes first, and its result through step 2 once more.
  while (stem.endsWith("alli") && measure(stem.slice(0, -4)) > 0) stem = stem.slice(0, -2)
  stem = replaced(stem, step2)
  stem = replaced(stem, step3)
  const suffix = step4.find((candidate) => stem.endsWith(candidate))
  if (suffix === undefined) return stem
  const rest = stem.slice(0, -suffix.length)
  return measure(rest) > 1 && (suffix !== "ion" || /[st]$/.test(rest)) ? rest : stem
}

function replaced(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const [suffix, replacement] = rule
  const rest = word.slice(0, -suffix.length)
  // The l of "logi" counts as part of the stem, so that "geo" goes like "archaeo".
  return measure(suffix === "logi" ? `${rest}l` : rest) > 0 ? rest + replacement : word
}

function step5(word: string): string {
  let stem = word
  if (stem.endsWith("e")) {
    const rest = stem.slice(0, -1)
    const times = measure(rest)
    if (times > 1 || (times === 1 && !endsConsonantVowelConsonant(rest))) stem = rest
  }
  return stem.endsWith("ll") && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem
}

/** 1 for each consonant, 0 for each vowel; y is a vowel after a consonant. */
function consonants(word: string): number[] {
  const kinds: number[] = []
  for (let i = 0; i < word.length; i++) {
    const letter = word.charAt(i)
    kinds.push("aeiou".includes(letter) ? 0 : letter === "y" && i > 0 ? 1 - (kinds[i - 1] as number) : 1)
  }
  return kinds
}

/** How often vowels are followed by consonants: Porter's m. */
function measure(word: string): number {
  let times = 0
  let before = 1
  for (const kind of consonants(word)) {
    if (kind === 1 && before === 0) times++
    before = kind
  }
  return times
}

function endsDouble(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && consonants(word).at(-1) === 1
}

/** Consonant, vowel, consonant other than w, x, y at the end; NLTK adds words of a vowel and a consonant. */
function endsConsonantVowelConsonant(word: string): boolean {
  const kinds = consonants(word)
  if (kinds.length === 2) return kinds[0] === 0 && kinds[1] === 1
  return kinds.slice(-3).join("") === "101" && !/[wxy]$/.test(word)
}
