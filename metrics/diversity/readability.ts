import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inLanguages } from "../text/in-languages.ts"
import { signature } from "../text/signature.ts"
import { type TextCounts, textCounts } from "../text/text-counts.ts"

/** Scores by formula. A higher `fleschReadingEase` is easier; the others grow with difficulty, most of them as school years. */
const formulas = {
  fleschReadingEase: ({ words, sentences, syllables }: TextCounts) =>
    206.835 - 1.015 * (words / sentences) - 84.6 * (syllables / words),
  fleschKincaidGrade: ({ words, sentences, syllables }: TextCounts) =>
    0.39 * (words / sentences) + 11.8 * (syllables / words) - 15.59,
  automatedReadabilityIndex: ({ words, sentences, characters }: TextCounts) =>
    4.71 * (characters / words) + 0.5 * (words / sentences) - 21.43,
  colemanLiau: ({ words, sentences, letters }: TextCounts) =>
    5.8 * (letters / words) - 29.6 * (sentences / words) - 15.8,
  lix: ({ words, sentences, longWords }: TextCounts) => words / sentences + (100 * longWords) / words,
  rix: ({ sentences, longWords }: TextCounts) => longWords / sentences,
} as const

/** Lix and Rix count letters and were made for several languages; the others are fitted to English. */
const western = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "no", "da"]
const languagesOf: Readonly<Record<keyof typeof formulas, readonly string[]>> = {
  fleschReadingEase: ["en"],
  fleschKincaidGrade: ["en"],
  automatedReadabilityIndex: ["en"],
  colemanLiau: ["en"],
  lix: western,
  rix: western,
}

/** Options of {@link readability}. @public */
export interface ReadabilityOptions {
  readonly name?: string
  /** `fleschReadingEase` by default. */
  readonly formula?: keyof typeof formulas
}

/**
 * Readability of the answer by a formula over counts of words, sentences, syllables and letters. The summary is the mean.
 *
 * Measures how long words and sentences are, not whether they make sense. The Flesch formulas are for English, and their syllables are counted
 * by spelling (see `syllables`), so they differ from textstat's dictionary by a few points; the formulas without syllables equal
 * textstat's (its Coleman–Liau uses 0.058 where the paper has 0.0588). LIX and RIX suit most alphabetic languages; none suits texts without
 * spaces between words.
 *
 * Range −∞..∞. Higher is better for `fleschReadingEase`, lower for the others. Cost: linear in the text. Papers: Flesch 1948,
 * Kincaid 1975, Smith & Senter 1967, Coleman & Liau 1975, Björnsson 1968, Anderson 1983. Unscored: `empty_output`.
 *
 * Misleads as a measure of quality: short words in short sentences score well, whatever they say.
 *
 * @example
 * // output "The quick brown fox jumps over the lazy dog."
 * readability({ formula: "automatedReadabilityIndex" }) // 1.91
 * @public
 */
export function readability(options: ReadabilityOptions = {}): Metric<number> {
  checkOptions("readability", options)
  const { name = "readability", formula = "fleschReadingEase" } = options
  return inLanguages(
    { languages: languagesOf[formula], texts: (_, { text }) => [text], hint: "the formula was made for these" },
    meanMetric({
      name,
      signature: signature("readability", { formula }),
      direction: formula === "fleschReadingEase" ? "higher" : "lower",
      range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      unit: "score",
      measure(_sample, generation) {
        const counts = textCounts(generation.text)
        return counts.words === 0 ? unscored("empty_output", "the answer has no words") : formulas[formula](counts)
      },
    }),
  )
}
