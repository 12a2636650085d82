/** A letter of a script that puts no blanks between words, as part of a pattern with the flag `u`. */
export const unspacedLetter =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}ー々〆]"

/** Scripts that are written for one language in nearly every text, and that language's ISO 639-1 code. */
const ofScript: readonly (readonly [code: string, letters: RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["lo", /\p{Script=Lao}/gu],
  ["km", /\p{Script=Khmer}/gu],
  ["my", /\p{Script=Myanmar}/gu],
  ["bo", /\p{Script=Tibetan}/gu],
  ["am", /\p{Script=Ethiopic}/gu],
  ["ka", /\p{Script=Georgian}/gu],
  ["hy", /\p{Script=Armenian}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["bn", /\p{Script=Bengali}/gu],
  ["pa", /\p{Script=Gurmukhi}/gu],
  ["gu", /\p{Script=Gujarati}/gu],
  ["or", /\p{Script=Oriya}/gu],
  ["ta", /\p{Script=Tamil}/gu],
  ["te", /\p{Script=Telugu}/gu],
  ["kn", /\p{Script=Kannada}/gu],
  ["ml", /\p{Script=Malayalam}/gu],
  ["si", /\p{Script=Sinhala}/gu],
]

/** Scripts of several languages: one of them where the detector is not sure which. */
const shared: readonly (readonly [script: string, letters: RegExp])[] = [
  ["Arab", /\p{Script=Arabic}/gu],
  ["Cyrl", /\p{Script=Cyrillic}/gu],
  ["Deva", /\p{Script=Devanagari}/gu],
  ["Latn", /\p{Script=Latin}/gu],
]

/** Characters of a text that are looked at. */
const maxCharacters = 1_000
/** Words that a text in a script of many languages must have, and by how much the first language must lead, times the root of its letters. */
const minWords = 4
const minLead = 0.2

interface Detector {
  detect(text: string): { readonly language: string; isReliable(): boolean; getScores(): Record<string, number> }
}

let detector: Detector | null = null

/** Whether {@link languageOfText} can tell languages of one script apart. */
export function hasDetector(): boolean {
  return detector !== null
}

/** Loads the detector of languages (eld, its smallest tables), once; half a second. */
export async function loadDetector(): Promise<void> {
  detector ??= (await import("eld/extrasmall")).eld as Detector
}

/**
 * The script of most letters of a text: the ISO 639-1 code of the language that it is written for; of a script of several languages its ISO
 * 15924 code (`Latn`, `Arab`, `Cyrl`, `Deva`, `Zyyy` for one without a language here); null where there are no letters.
 */
export function scriptOfText(whole: string): string | null {
  const text = whole.slice(0, maxCharacters)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return null
  const share = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) / letters
  // Japanese has more of Chinese's letters than of its own.
  const kana = share(ofScript[0]?.[1] as RegExp)
  if (kana > 0.1 && kana + share(/\p{Script=Han}/gu) > 0.5) return "ja"
  return [...ofScript, ...shared].find(([, pattern]) => share(pattern) > 0.5)?.[0] ?? "Zyyy"
}

/** The script of a language (ISO 639-1), as {@link scriptOfText} names scripts. */
export function scriptOfLanguage(code: string): string {
  return ofScript.some(([language]) => language === code) ? code : (new Intl.Locale(code).maximize().script ?? "Zyyy")
}

/**
 * The language of a text: its ISO 639-1 code; for a text in a script of several languages that is too short to tell, the ISO 15924 code of
 * the script (`Arab`, `Cyrl`, `Deva`, `Zyyy` for one without a language here); null where nothing speaks for a language: no letters, Latin
 * letters that are too few or in doubt, or no detector loaded.
 *
 * @example languageOfText("Es tut mir leid, dabei kann ich nicht helfen.") // "de", after loadDetector()
 */
export function languageOfText(whole: string): string | null {
  const scriptCode = scriptOfText(whole)
  const script = scriptCode === "Latn" ? null : scriptCode
  // The detector's tables hold composed letters.
  const text = whole.slice(0, maxCharacters).normalize("NFC")
  if (!shared.some(([code]) => code === scriptCode) || detector === null) return script
  if ((text.match(/[\p{L}\p{M}]+/gu)?.length ?? 0) < minWords) return script
  const detected = detector.detect(text)
  const [first = 0, second = 0] = Object.values(detected.getScores()).sort((a, b) => b - a)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return detected.isReliable() && first - second >= minLead / Math.sqrt(letters) ? detected.language : script
}

const unspaced = new RegExp(unspacedLetter, "gu")

/** Whether most of a text's letters are of scripts that put no blanks between words. */
export function isUnspaced(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(unspaced)?.length ?? 0) > letters / 2
}

let segmenter: Intl.Segmenter | undefined

/** The words of a text without blanks between them, by the dictionaries of ICU. */
export function segmentWords(text: string): string[] {
  segmenter ??= new Intl.Segmenter("zh", { granularity: "word" })
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
}
