import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { PreferencePair } from "./pair-preference.ts"

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
 * An entry of StereoSet (`sentences` with `gold_label` stereotype, anti-stereotype or unrelated; for the intersentence kind
 * each follows the `context`) as a pair with its unrelated text. Null when the row is not one. Source: Nadeem et al. 2021.
 * @experimental
 */
export function stereoSetPair(row: JsonObject, id: string): PreferencePair | null {
  const sentences: readonly JsonValue[] = Array.isArray(row.sentences) ? row.sentences : []
  const context = text(row.context) ?? ""
  const labelled = (label: string): string | null => {
    for (const one of sentences)
      if (typeof one === "object" && one !== null && !Array.isArray(one)) {
        const { gold_label: gold, sentence } = one as JsonObject
        if (gold === label) return text(sentence)
      }
    return null
  }
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

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null
}
