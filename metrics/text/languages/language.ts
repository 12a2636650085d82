import { UsageError } from "../../../src/core/errors.ts"

/** What metrics know about a language. */
export interface Language {
  readonly name: string
  /** Name of the stemmer in signatures; null where there is none. */
  readonly stemmer: string | null
  /** Words that stand before a full stop without ending a sentence, in lower case and without their last full stop. */
  readonly abbreviations: readonly string[]
  /** Whether a full stop after a number of one or two digits marks an ordinal ("3. Oktober"). */
  readonly ordinals?: true
}

/** The languages that metrics can be set to, by their ISO 639-1 codes. */
export const languages = {
  de: {
    name: "German",
    stemmer: "snowball-de",
    abbreviations: words(
      "abs art bd bspw bzw ca dr d.h evtl f ff fr ggf hr inkl jh mio mrd nr o.ä prof s sog st str u.a usw v.a vgl z.b zzgl",
    ),
    ordinals: true,
  },
  es: {
    name: "Spanish",
    stemmer: "snowball-es",
    abbreviations: words("aprox art av cap d dña dr dra ee.uu etc fig núm p.ej pág prof sr sra srta ud uds vol"),
  },
  fa: { name: "Persian", stemmer: null, abbreviations: [] },
  fr: {
    name: "French",
    stemmer: "snowball-fr",
    abbreviations: words("art av boul c.-à-d cf chap dr env etc fig m me mgr mm no p p.ex pp prof st ste vol"),
  },
  id: {
    name: "Indonesian",
    stemmer: null,
    abbreviations: words("bpk dll dr drs dsb hlm ir jl no prof sdr tgl yth"),
  },
  it: {
    name: "Italian",
    stemmer: "snowball-it",
    abbreviations: words("art avv cap cfr dott dr ecc fig ing n pag prof sig sigg sig.ra vol"),
  },
  nl: {
    name: "Dutch",
    stemmer: "porter-nl",
    abbreviations: words(
      "afb art bijv blz bv ca d.w.z dhr dr drs enz etc evt fig ir jl m.b.t mevr mr nr o.a prof resp st vgl",
    ),
  },
  no: {
    name: "Norwegian",
    stemmer: "snowball-no",
    abbreviations: words("bl.a ca dvs etc f.eks fig jf kap kr mill nr osv pga prof s st tlf vol"),
    ordinals: true,
  },
  pt: {
    name: "Portuguese",
    stemmer: "snowball-pt",
    abbreviations: words("art av cap d dr dra eng etc exmo fig núm p.ex pág prof profa sr sra srta vol"),
  },
  ru: {
    name: "Russian",
    stemmer: "snowball-ru",
    abbreviations: words("акад г гг д им кв млн млрд обл пр проф р рис руб с см ср ст стр т.д т.е т.к т.п тыс ул"),
  },
  sv: {
    name: "Swedish",
    stemmer: "snowball-sv",
    abbreviations: words("bl.a ca dr dvs etc f.d fig kap kl kr m.m nr osv prof resp s st t.ex tel vol"),
  },
  uk: {
    name: "Ukrainian",
    stemmer: "porter-uk",
    abbreviations: words("акад вул гр грн ім млн млрд напр обл проф р рр рис с см ст стор т.д т.п тис"),
  },
} as const satisfies Readonly<Record<string, Language>>

/** Code of a language, ISO 639-1. @public */
export type LanguageCode = keyof typeof languages

/**
 * What is known about a language.
 *
 * @param code as a config states it
 * @param where the option that states it, for the message
 * @throws {UsageError} for a language that is not in {@link languages}; lists those that are
 */
export function languageOf(code: LanguageCode, where: string): Language {
  if (Object.hasOwn(languages, code)) return languages[code]
  const names = Object.entries(languages).map(([key, { name }]) => `${key} (${name})`)
  throw new UsageError(`unknown language "${code}"`, {
    where,
    hint: `use one of ${names.join(", ")}; leave it out for English`,
  })
}

function words(list: string): readonly string[] {
  return list.split(" ")
}
