import { unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inputText, type Sample } from "../../src/core/sample.ts"
import { claimedFacts } from "../statements/claimed-facts.ts"
import { type Fact, factIndex } from "../statements/facts.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { signature } from "../text/signature.ts"
import { type Detector, detectorMetric } from "./detector.ts"

/** Options of {@link ungroundedFacts}. @public */
export interface UngroundedFactsOptions {
  readonly name?: string
  /** Where a fact may come from: the passages and the question (default), the passages alone, or the references too. */
  readonly against?: "context+input" | "context" | "context+input+references"
  /** Kinds of facts that are looked for. Default: all. */
  readonly kinds?: readonly Fact["kind"][]
  /** Share of ungrounded facts above which an answer is flagged. Default 0: a single one flags. */
  readonly threshold?: number
}

/**
 * Ungrounded facts: numbers, dates, names, quotations, URLs and citations of the answer that occur nowhere in the texts it may
 * rely on. No model, no cost.
 *
 * Misses every error that names no new fact (wrong relations, negation), and flags true statements that come
 * from elsewhere: a hint, not a verdict. Without passages it can only compare with the question, which makes
 * it weak: see the figures on HaluEval in the tests. Range 0..1, lower is better; the value of an answer is 1 when it is
 * flagged, the summary is the rate. An answer that states nothing which can be looked up is not flagged (`checked` is 0), and a
 * mark that names a passage ("[2]") is no number.
 * A number is found as digits, in English also as a word up to twelve: of other languages "2" counts as new where the passage has "zwei".
 * Linear in the texts. Unscored: `no_context`.
 *
 * Source: evalkit's own definition.
 *
 * @example
 * // context ["Ada was born in 1815."], output "Ada was born in 1852."
 * ungroundedFacts() // 1: the number 1852
 * @public
 */
export function ungroundedFacts(options: UngroundedFactsOptions = {}): Detector {
  checkOptions("ungroundedFacts", options)
  const { name = "ungroundedFacts", against = "context+input", kinds, threshold = 0 } = options
  const detector = detectorMetric({
    name,
    signature: signature("ungroundedFacts", { against, kinds: kinds?.join(",") ?? "all", marks: "no", threshold }),
    threshold,
    cost: "nothing: no model is called",
    blindSpot:
      "it detects new numbers, dates, names, quotations, URLs and citations only, and flags true facts that are not in the text; a weak signal",
    assess(sample, { text }) {
      const sources = sourcesOf(sample, against)
      if (sources.length === 0) return unscored("no_context", "there is no text to check facts against")
      const facts = claimedFacts(text).filter(({ kind }) => kinds?.includes(kind) ?? true)
      const index = factIndex(sources)
      const unknown = facts.filter((fact) => !index.has(fact))
      return {
        score: facts.length === 0 ? 0 : unknown.length / facts.length,
        checked: facts.length,
        unsupported: unknown.length,
        offences: unknown.map((fact) => ({
          text: fact.text,
          start: fact.start,
          reason: `${fact.kind} not in the context`,
        })),
      }
    },
  })
  const measurable = { languages: wordLanguages, hint: "unsupportedClaims() asks a model, which reads any language" }
  return { ...detector, ...inLanguages(measurable, detector) }
}

function sourcesOf(sample: Sample, against: NonNullable<UngroundedFactsOptions["against"]>): readonly string[] {
  const input = against === "context" ? [] : [inputText(sample)]
  const references = against === "context+input+references" ? sample.references : []
  return [...sample.context, ...input, ...references].filter((text) => text.trim() !== "")
}
