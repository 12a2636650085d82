import type { JsonObject, JsonValue } from "../../../core/json.ts"
import { asMembers, asText } from "../../../core/json-members.ts"

/**
 * What a request to the Responses API asks, as messages whose contents are its items: calls of tools are the model's, results are the tool's, and
 * what the model thought is left out. undefined: the body asks nothing.
 */
export function responsesQuestion({ instructions, input }: JsonObject): readonly JsonValue[] | undefined {
  if (typeof input !== "string" && !Array.isArray(input)) return undefined
  const system = instructions ? [{ role: "system", content: instructions }] : []
  return [...system, ...(typeof input === "string" ? [{ role: "user", content: input }] : input.flatMap(turnOf))]
}

function turnOf(item: JsonValue): readonly JsonValue[] {
  const own = asMembers(item)
  if (own?.role !== undefined) return [item]
  const type = asText(own?.type)
  return type === "reasoning" ? [] : [{ role: type.endsWith("_output") ? "tool" : "assistant", content: [item] }]
}
