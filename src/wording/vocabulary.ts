import type { JsonObject } from "../core/json.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Figure } from "../core/report/figure.ts"
import { count } from "../words/number.ts"

/** Tokens of the model's vocabulary, as its server stated it; null where it did not. */
export function vocabularySize(served: JsonObject | undefined): number | null {
  const models = Array.isArray(served?.models) ? served.models : []
  for (const model of models) {
    const size = typeof model === "object" && model !== null && "n_vocab" in model ? model.n_vocab : null
    if (typeof size === "number" && size > 0) return size
  }
  return null
}

const perplexities: ReadonlySet<string> = new Set(["perplexity", "answerPerplexity"])

/**
 * A perplexity with a warning where it is above the vocabulary's size: guessing every token blindly would be no worse, so that
 * text, template or model do not fit together.
 */
export function withVocabulary(metric: Pick<AnyMetric, "recipe">, figure: Figure, vocabulary: number | null): Figure {
  if (figure.status === "unknown" || vocabulary === null || figure.value <= vocabulary) return figure
  if (!metric.recipe || !perplexities.has(metric.recipe.metric)) return figure
  const warning = `larger than the vocabulary of ${count(vocabulary)} tokens: guessing would be no worse, so that text, prompt template or model do not fit together`
  return { ...figure, warning: figure.warning === undefined ? warning : `${figure.warning}; ${warning}` }
}
