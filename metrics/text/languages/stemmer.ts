import { UsageError } from "../../../src/core/errors.ts"
import { naturalVersion } from "../../../src/text/natural-version.ts"
import { type LanguageCode, languageOf, languages } from "./language.ts"

/** The stem of a word in lower case. */
export type Stem = (word: string) => string

/** A stemmer module of natural. */
interface StemmerModule {
  readonly default: { stem(word: string): string }
}

/**
 * Each stemmer by its own path: `natural` as a whole prints to stdout, reads .env and loads database drivers. Written out,
 * so that a bundler finds the files.
 */
const modules: Readonly<Record<Exclude<LanguageCode, "fa" | "id">, () => Promise<StemmerModule>>> = {
  de: () => import("natural/lib/natural/stemmers/porter_stemmer_de.js"),
  es: () => import("natural/lib/natural/stemmers/porter_stemmer_es.js"),
  fr: () => import("natural/lib/natural/stemmers/porter_stemmer_fr.js"),
  it: () => import("natural/lib/natural/stemmers/porter_stemmer_it.js"),
  nl: () => import("natural/lib/natural/stemmers/porter_stemmer_nl.js"),
  no: () => import("natural/lib/natural/stemmers/porter_stemmer_no.js"),
  pt: () => import("natural/lib/natural/stemmers/porter_stemmer_pt.js"),
  ru: () => import("natural/lib/natural/stemmers/porter_stemmer_ru.js"),
  sv: () => import("natural/lib/natural/stemmers/porter_stemmer_sv.js"),
  uk: () => import("natural/lib/natural/stemmers/porter_stemmer_uk.js"),
}

const maxWordLength = 60
const cacheLimit = 50_000
const loaded = new Map<LanguageCode, Promise<Stem>>()

/**
 * Loads the stemmer of a language from the package natural, once.
 *
 * Shares of Snowball's own test vocabularies on which the stems are the same: es, it, pt 100 %, nl 99.5 % (Snowball's
 * `dutch_porter`), no 99.3 %, ru 98.9 %, sv 98.2 %, de 96.4 %, fr 95.8 %; Ukrainian has no vocabulary there. natural's Persian
 * stemmer does nothing, and its Indonesian one needs global variables, so neither is used. Words of more than 60 UTF-16 units stay as they are.
 *
 * @throws {UsageError} for a language without a stemmer
 * @example (await loadStemmer("fr"))("continuellement") // "continuel"
 */
export function loadStemmer(language: LanguageCode): Promise<Stem> {
  const existing = loaded.get(language)
  if (existing) return existing
  const stem = load(language)
  loaded.set(language, stem)
  return stem
}

/**
 * The stemmer's name in signatures, with natural's version; "no" where words are not stemmed.
 *
 * @throws {UsageError} when stems are wanted of a language without a stemmer
 */
export function stemmerIdentity(language: LanguageCode, stem: boolean, where: string): string {
  const { name, stemmer } = languageOf(language, where)
  if (!stem) return "no"
  if (stemmer !== null) return `${stemmer}-natural-${naturalVersion}`
  throw new UsageError(`there is no stemmer for ${name}`, { where, hint: "set stem: false" })
}

async function load(language: LanguageCode): Promise<Stem> {
  if (language === "fa" || language === "id")
    throw new UsageError(`there is no stemmer for ${languages[language].name}`, { where: "loadStemmer" })
  const { default: stemmer } = await modules[language]()
  const cache = new Map<string, string>()
  return (word) => {
    if (word.length > maxWordLength) return word
    const existing = cache.get(word)
    if (existing !== undefined) return existing
    // A stemmer keeps what it learns about a word on itself, and the Dutch one does not clear it: each word gets its own.
    const own: typeof stemmer = Object.create(stemmer)
    const stem = own.stem(word)
    if (cache.size >= cacheLimit) cache.clear()
    cache.set(word, stem)
    return stem
  }
}
