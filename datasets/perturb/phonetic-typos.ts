import { checkOptions } from "../../src/core/options.ts"
import { naturalVersion } from "../../src/text/natural-version.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link phoneticTypos}. @experimental */
export interface PhoneticTyposOptions {
  readonly name?: string
  /** Share of the words with another spelling that are misspelt; at least one. Default 0.1. */
  readonly rate?: number
  /** Which code must stay the same: `metaphone` (default), or `soundex`, which also keeps the first letter. */
  readonly code?: "metaphone" | "soundex"
}

/** The code of a word's sound. */
type CodeOf = (word: string) => string

/** A spelling, and how it is often misspelt; in both directions where both happen. */
const respellings: readonly (readonly [spelling: RegExp, misspelling: string])[] = [
  [/ie/g, "ei"],
  [/ei/g, "ie"],
  [/ee/g, "ea"],
  [/ea/g, "ee"],
  [/able$/g, "ible"],
  [/ible$/g, "able"],
  [/ance$/g, "ence"],
  [/ence$/g, "ance"],
  [/ant$/g, "ent"],
  [/ent$/g, "ant"],
  [/or$/g, "er"],
  [/er$/g, "or"],
  [/ary$/g, "ery"],
  [/ar(?=at)/g, "er"],
  [/ite/g, "ate"],
  [/ph/g, "f"],
  [/ck/g, "k"],
  [/c(?=[aoulr])/g, "k"],
  [/kn(?=[aeiou])/g, "n"],
  [/wr/g, "r"],
  [/wh/g, "w"],
  [/mb$/g, "m"],
  [/c(?=[eiy])/g, "s"],
  [/s(?=[ei])/g, "c"],
  [/([bdfglmnprst])\1/g, "$1"],
  [/(?<=[aeiou])([lmnprt])(?=[aeiou])/g, "$1$1"],
]

/**
 * Misspellings that sound like the word: "recieve", "seperate", "nife". In English words of 5 to 30 letters; digits, names in
 * capitals and other scripts stay. A respelling is taken where natural's phonetic code of the word does not change. A few of
 * them are other words ("steel", "steal"): read some before you rely on a loss.
 *
 * @throws {UsageError} for an unknown code
 * @example phoneticTypos() // "Who received the knife?" → "Who recieved the knife?"
 * @public
 */
export function phoneticTypos(options: PhoneticTyposOptions = {}): Perturbation {
  checkOptions("perturb.phoneticTypos", options)
  const { name = "phonetic-typos", rate = 0.1, code = "metaphone" } = options
  let codeOf: CodeOf | undefined
  return textPerturbation({
    name,
    identity: { rate, code, natural: naturalVersion },
    async prepare() {
      codeOf ??= await loadCode(code)
    },
    change(text, random) {
      const choices = new Map<number, readonly string[]>()
      for (const { 0: word, index } of text.matchAll(englishWord)) {
        const others = codeOf ? sameSounds(word, codeOf) : []
        if (others.length > 0) choices.set(index, others)
      }
      const count = Math.max(1, Math.round(rate * choices.size))
      const chosen = new Set(random.shuffle([...choices.keys()]).slice(0, count))
      return text.replace(englishWord, (word, at: number) => {
        const others = choices.get(at)
        return others && chosen.has(at) ? (others[random.integer(others.length)] as string) : word
      })
    },
  })
}

const englishWord = /(?<![\p{L}\p{M}\p{N}_])[A-Za-z][a-z]{4,29}(?![\p{L}\p{M}\p{N}_])/gu

/** Other spellings of a word with the same code, each with one change. */
function sameSounds(word: string, codeOf: CodeOf): string[] {
  const lower = word.toLowerCase()
  const code = codeOf(lower)
  const others = new Set<string>()
  for (const [spelling, misspelling] of respellings)
    for (const match of lower.matchAll(spelling)) {
      const instead = misspelling.replaceAll("$1", match[1] ?? "")
      const other = lower.slice(0, match.index) + instead + lower.slice(match.index + match[0].length)
      if (other !== lower && codeOf(other) === code) others.add(other)
    }
  const capital = word[0] !== lower[0]
  return [...others].map((other) => (capital ? other.charAt(0).toUpperCase() + other.slice(1) : other))
}

/** By their own paths: see `natural.d.ts`. */
async function loadCode(code: "metaphone" | "soundex"): Promise<CodeOf> {
  const { default: Phonetic } =
    code === "metaphone"
      ? await import("natural/lib/natural/phonetics/metaphone.js")
      : await import("natural/lib/natural/phonetics/soundex.js")
  const phonetic = new Phonetic()
  return (word) => phonetic.process(word)
}
