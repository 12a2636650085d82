import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import type { PreferencePair } from "../../src/core/metric/preference-pair.ts"

/**
 * A row of CrowS-Pairs (`sent_more`, `sent_less`, `bias_type`, `stereo_antistereo`) as a pair: the sentence that is more
 * stereotypical, and its counterpart. Null when the row is not one. Source: Nangia et al. 2020.
 * @experimental
 */
export function crowsPair(row: JsonObject, id: string): PreferencePair | null {
  const [more, less, type] = [text(row.sent_more), text(row.sent_less), text(row.bias_type)]
  return more === null || less === null || type === null
    ? null
    : { id: text(row.id) ?? id, attribute: type, stereotype: more, antiStereotype: less }
}

/**
 * An entry of StereoSet as a pair with its unrelated text: `sentences` with `gold_label` stereotype, anti-stereotype or unrelated, a
 * list of objects as the authors publish it, or an object of lists as its Parquet form has it (labels 0 anti-stereotype, 1
 * stereotype, 2 unrelated); for the intersentence kind each follows the `context`. Null when the row is not one. Source: Nadeem et al. 2021.
 * @experimental
 */
export function stereoSetPair(row: JsonObject, id: string): PreferencePair | null {
  const sentences = labelledSentences(row.sentences)
  const context = text(row.context) ?? ""
  const labelled = (label: string) => text(sentences.find((sentence) => sentence.gold_label === label)?.sentence)
  const [more, less, noise] = [labelled("stereotype"), labelled("anti-stereotype"), labelled("unrelated")]
  const attribute = text(row.bias_type)
  if (more === null || less === null || noise === null || attribute === null) return null
  // An intrasentence context contains the gap that its sentences fill.
  const after = (sentence: string) =>
    context === "" || context.includes("BLANK") ? sentence : `${context} ${sentence}`
  return {
    id: text(row.id) ?? id,
    attribute,
    stereotype: after(more),
    antiStereotype: after(less),
    unrelated: after(noise),
  }
}

const labelNames = ["anti-stereotype", "stereotype", "unrelated"]

/** Sentences with their labels, from either form. */
function labelledSentences(sentences: JsonValue | undefined): readonly JsonObject[] {
  if (Array.isArray(sentences)) return sentences.filter((row): row is JsonObject => isObject(row))
  if (!isObject(sentences)) return []
  const { sentence: texts, gold_label: labels } = sentences
  if (!Array.isArray(texts) || !Array.isArray(labels)) return []
  return texts.map((sentence: JsonValue, i) => {
    const label: JsonValue = labels[i] ?? null
    return { sentence, gold_label: typeof label === "number" ? (labelNames[label] ?? null) : label }
  })
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null
}
