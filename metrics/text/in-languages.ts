import type { Generation } from "../../src/core/generation.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import type { Sample } from "../../src/core/sample.ts"
import { hasDetector, languageOfText, loadDetector } from "../../src/text/language.ts"

/** Languages whose function words, abstentions and courtesies are listed, and whose words can be found. */
export const wordLanguages = ["en", "de", "fr", "es", "it", "pt", "nl", "zh", "ja"] as const

/** What a metric can measure: languages, and the texts that must be in one of them. */
export interface Measurable {
  /** ISO 639-1 codes. */
  readonly languages: readonly string[]
  /** Default: answer, passages and references. */
  texts?(sample: Sample, generation: Generation): readonly string[]
  /** What would measure the others. */
  readonly hint: string
}

/**
 * The metric, which leaves an answer unscored (`language`) whose texts are in a language that it cannot measure: the one place where that is
 * decided, and stated in its signature. A text too short to tell its language is measured where its script is one of those languages'.
 */
export function inLanguages<Row>(measurable: Measurable, metric: Metric<Row>): Metric<Row> {
  const { languages, hint, texts = allTexts } = measurable
  const allowed = new Set<string>(languages)
  return detecting({
    ...metric,
    signature: metric.signature.replace(/\|version:[^|]*$/, (version) => `|languages:${languages.join("+")}${version}`),
    measure(sample, generation, tools) {
      const other = texts(sample, generation)
        .map(languageOfText)
        .find((language) => language !== null && !allowed.has(language))
      return other === undefined
        ? metric.measure(sample, generation, tools)
        : unscored("language", `${other ?? ""}: it measures ${languages.join(", ")}; ${hint}`)
    },
  })
}

/** The metric, which measures once the detector of languages is there. */
export function detecting<Row>(metric: Metric<Row>): Metric<Row> {
  const measure = metric.measure.bind(metric)
  return {
    ...metric,
    measure: (...args) => (hasDetector() ? measure(...args) : loadDetector().then(() => measure(...args))),
  }
}

function allTexts({ context, references }: Sample, { text }: Generation): readonly string[] {
  return [text, context.join("\n"), references.join("\n")]
}
