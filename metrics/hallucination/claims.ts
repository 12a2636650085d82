import { checkOptions } from "../../src/core/options.ts"
import type { GenerationParameters, Provider } from "../../src/core/provider.ts"
import { defaultMaxCharacters } from "../judged/ask-json.ts"
import { judgedRow } from "../judged/judged-metric.ts"
import { signature } from "../text/signature.ts"
import { checkClaims, claimsReply } from "./check-claims.ts"
import { type Detector, detectorMetric } from "./detector.ts"

/** Options of {@link unsupportedClaims}. @public */
export interface UnsupportedClaimsOptions {
  /** The model that splits the answer into claims and checks them. */
  readonly provider: Provider
  readonly name?: string
  /** Share of unsupported claims above which an answer is flagged. Default 0: a single one flags. */
  readonly threshold?: number
  readonly parameters?: GenerationParameters
  /** Characters of each text that the model sees. Default 20,000. */
  readonly maxCharacters?: number
}

/**
 * Unsupported claims: a model splits the answer into claims and checks each against the passages, or against the reference where
 * there are none. Faithfulness is 1 − the row's score; the unsupported sentences are kept for the report.
 *
 * No better than the model that checks, which may share the blind spots of the model that it checks; one call per answer. An answer
 * without claims is not flagged. A reply that cannot be read and a call that fails leave the answer unscored. Range 0..1,
 * lower is better; the value of an answer is 1 when it is flagged, the summary is the rate. Source: faithfulness of Ragas and FActScore. Unscored:
 * `no_context`, `empty_output`, `claims_failed`, `claims_unparseable`.
 *
 * @example
 * // two claims of which the model finds one unsupported
 * unsupportedClaims({ provider: openai({ model: "gpt-4o-mini" }) }) // 1: the answer is flagged; its score is 0.5
 * @public
 */
export function unsupportedClaims(options: UnsupportedClaimsOptions): Detector {
  checkOptions("unsupportedClaims", options)
  const { provider, name = "unsupportedClaims", threshold = 0, maxCharacters = defaultMaxCharacters } = options
  const parameters = { temperature: 0, ...options.parameters, jsonSchema: claimsReply }
  return detectorMetric({
    name,
    signature: signature("unsupportedClaims", {
      model: provider.model,
      threshold,
      ...(options.maxCharacters === undefined ? {} : { characters: maxCharacters }),
      prompt: 3,
    }),
    threshold,
    cost: `one call of ${provider.model} per answer`,
    asks: [provider],
    asksWith: [parameters],
    blindSpot: "it knows no more than the model that checks, and may accept errors that this model would make itself",
    async assess(sample, { text }, tools) {
      const result = await checkClaims({ provider, parameters, maxCharacters }, sample, text, tools)
      if ("status" in result) return result
      const { claims, checks, offences } = result.value
      const wrong = claims.filter(({ supported }) => !supported).length
      const score = claims.length === 0 ? 0 : wrong / claims.length
      return { score, checked: claims.length, unsupported: wrong, offences, checks: judgedRow(score, checks).checks }
    },
  })
}
