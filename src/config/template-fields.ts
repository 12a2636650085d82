import type { JsonObject, JsonValue } from "../core/json.ts"
import { inputText, type Sample } from "../core/sample.ts"

/** Other names that data sets use for what evalkit calls input and reference; a row's own name works in a template. */
const inputNames = ["prompt", "question"]
const referenceNames = ["answer", "target", "expected"]

/**
 * What a template may name: the sample's fields, then every metadata column. Fields that the sample lacks are absent.
 *
 * @example templateFields(sample).input // "Translate into German: Hello"
 */
export function templateFields(sample: Sample): JsonObject {
  const input = sample.input === null ? undefined : inputText(sample)
  const messages = Array.isArray(sample.input) ? (sample.input as readonly JsonObject[]) : undefined
  const reference = sample.references[0]
  const own: readonly (readonly [string, JsonValue | undefined])[] = [
    ...inputNames.map((name) => [name, input] as const),
    ...referenceNames.map((name) => [name, reference] as const),
    ...Object.entries(sample.metadata),
    ["id", sample.id],
    ["input", input],
    ["messages", messages],
    ["reference", reference],
    ["references", nonEmpty(sample.references)],
    ["context", nonEmpty(sample.context)],
    ["choices", nonEmpty(sample.choices)],
    ["group", sample.group],
    ["cluster", sample.cluster],
    ["label", sample.label],
    ["metadata", sample.metadata],
  ]
  return Object.fromEntries(own.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined))
}

function nonEmpty(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list
}
