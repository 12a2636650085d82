import { metadataFault } from "../../src/core/metric/metadata-fault.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { isUnspaced, languageOfText, scriptOfLanguage, scriptOfText } from "../../src/text/language.ts"
import { rowMetric } from "../row-metric.ts"
import { detecting } from "../text/in-languages.ts"
import { isUnscored, questionOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link languageMatch}. @public */
export interface LanguageMatchOptions {
  readonly name?: string
  /** Metadata field with the ISO 639-1 code of the language that is wanted, for translations and the like. Default: the question's language. */
  readonly field?: string
}

/** The languages of one answer. @public */
export type LanguageRow = {
  /** ISO 639-1, or ISO 15924 where the script alone can be told. */
  readonly wanted: string
  /** Of the lines whose language can be told, each once, the most frequent first. */
  readonly found: readonly string[]
}

/**
 * Language match: 1 when every line of the answer whose language can be told is in the language of the question, else 0; the summary is the
 * share. An answer that changes its language on the way is 0, too: `mixed` in the details counts those that are right in part.
 *
 * Scripts are compared first, then languages: by small tables of n-grams, which are silent on fewer than four words and where two languages
 * are near each other. Where a script other than Latin is the same and the language cannot be told, it matches. Code, formulas and lines of
 * fewer than six words do not make an answer wrong. On the articles of the Universal Declaration of Human Rights in 38 languages none was
 * mistaken for another; 98 % of those in Latin letters and 71 % of the others could be told. Of 10,877 English answers to GSM8K, MATH and CRUX, 99.8 %
 * are 1.
 *
 * Misleads where another language is asked for (a translation): state it in the metadata, `field`. A line of names may be taken for another
 * language. Range 0..1, higher is better. Linear in the text. Source: the line-level pass rate of Marchisio et al. 2024
 * ("Understanding and Mitigating Language Confusion in LLMs"). Unscored: `no_input`, `empty_output`, `language` where nothing can be told.
 *
 * @example
 * // input "Wie lange dauert die Rückerstattung?", output "The refund takes five working days."
 * languageMatch() // 0
 * @public
 */
export function languageMatch(options: LanguageMatchOptions = {}): Metric<LanguageRow> {
  checkOptions("languageMatch", options)
  const { name = "languageMatch", field } = options
  const metric = rowMetric<LanguageRow>({
    name,
    signature: signature("languageMatch", { by: "lines", detector: "eld-xs", wanted: field ?? "question" }),
    range: [0, 1],
    unit: "share",
    measure(sample, { text }) {
      const question = field === undefined ? questionOf(sample) : ""
      if (isUnscored(question)) return question
      if (text.trim() === "") return unscored("empty_output", "the answer is empty")
      const stated = field === undefined ? languageOfText(question) : statedLanguage(sample.metadata[field])
      if (stated === null)
        return unscored(
          "language",
          field === undefined
            ? "the question's language cannot be told"
            : metadataFault(sample.metadata, field, 'an ISO 639-1 code, such as "de"'),
        )
      const script = field === undefined ? (scriptOfText(question) as string) : scriptOfLanguage(stated)
      const languages = text
        .replace(unread, " ")
        .split("\n")
        .flatMap((line) => languageOfLine(line, stated, script) ?? [])
      if (languages.length === 0)
        return unscored("language", "the answer's language cannot be told: it is short, or two languages are near")
      const count = (language: string) => languages.filter((entry) => entry === language).length
      return { wanted: stated, found: [...new Set(languages)].sort((a, b) => count(b) - count(a)) }
    },
    value: ({ wanted, found }) => Number(found.every((language) => language === wanted)),
    details: (rows) => ({
      mixed: rows.filter(({ wanted, found }) => found.length > 1 && found.includes(wanted)).length,
    }),
  })
  return detecting(metric)
}

/** Code between fences or ticks, formulas, links. */
const unread =
  /^(```|~~~)[\s\S]*?^\1|`[^`\n]{1,500}`|\$\$[^$]{1,2000}\$\$|\$[^$\n]{1,500}\$|\\\[[\s\S]{1,2000}?\\\]|\\\([^\n]{1,500}?\\\)|https?:\/\/\S{1,2000}/gmu

/** The wanted language where a line is in it, or in its script and nothing else is known of it; null where the line is too short to tell. */
function languageOfLine(line: string, expected: string, wantedScript: string): string | null {
  const script = scriptOfText(line)
  const language = languageOfText(line)
  if (script === null || script === "Zyyy") return null
  if (language === expected) return expected
  const isScriptAlone = script !== "Latn" && (language === script || expected === wantedScript)
  if (script === wantedScript && isScriptAlone) return expected
  if (language === null && wantedScript === script) return null
  return isLong(line) ? (language ?? script) : null
}

/** Whether a line is more than a name or a term, which stands in any language, or signs with a few letters among them. */
function isLong(line: string): boolean {
  const words = line.match(/[\p{L}\p{M}]+/gu) ?? []
  const letters = words.join("").length
  const isProse = letters > 0.7 * line.replace(/\s/gu, "").length
  return isProse && (words.length >= 6 || (isUnspaced(line) && letters >= 10))
}

function statedLanguage(code: unknown): string | null {
  return typeof code === "string" ? (/^[a-z]{2}(?![a-z])/.exec(code)?.[0] ?? null) : null
}
