import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { cut, type Mock, startMock, unknownMember } from "./frame.ts"

/** Members of requests, by `V2ChatStreamRequest` and its parts of cohere-ai/cohere-typescript (2026-08-18), as they are sent. */
const bodyFields =
  "stream model messages tools strict_tools documents citation_options response_format safety_mode max_tokens stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs tool_choice thinking priority"
const turnFields: Readonly<Record<string, string>> = {
  system: "role content",
  user: "role content",
  assistant: "role content tool_calls tool_plan citations",
  tool: "role content tool_call_id",
}
const functionFields = "name description parameters"

/**
 * Answers by the words of the last turn: `look`, `long`, `fault`, `late`, `broken`, `cut`, `endless`, `busy`; else with thinking (when
 * it is asked for) and text. Models whose name ends in `-old` have no seed and no log-probabilities.
 */
export function startCohereMock(key: string): Promise<Mock> {
  return startMock(({ url, headers, body }) => {
    const refuse = (status: number, message: string) => ({ status, body: { id: "err-1", message } })
    if (url !== "/v2/chat") return refuse(404, "404 page not found")
    if (headers.authorization !== `Bearer ${key}`) return refuse(401, "invalid api token")
    const fault = faultOf(body)
    if (fault !== null) return refuse(422, fault)
    const said = JSON.stringify((body.messages as JsonValue[]).at(-1))
    if (said.includes("busy"))
      return refuse(429, "You are using a Trial key, which is limited to 20 API calls / minute.")
    return {
      events: eventsOf(body, said).map((event) =>
        event === cut ? cut : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      ),
    }
  })
}

function unknownIn(value: JsonValue | undefined, names: string): string | null {
  const name = unknownMember(value, names)
  // As it was seen in openrouter-examples#71.
  return name === null ? null : `unknown field: parameter '${name}' is not a valid field.`
}

function partsOf(turns: readonly JsonObject[]): readonly JsonObject[] {
  return turns.flatMap(({ content }) => (Array.isArray(content) ? (content as JsonObject[]) : []))
}

function faultOf(body: JsonObject): string | null {
  const turns = body.messages as JsonObject[]
  const tools = (body.tools ?? []) as JsonObject[]
  const format = body.response_format as JsonObject | undefined
  const unknown = [
    unknownIn(body, bodyFields),
    unknownIn(body.thinking, "type token_budget"),
    unknownIn(format, "type json_schema"),
    ...turns.map((turn) => unknownIn(turn, turnFields[String(turn.role)] ?? "")),
    ...partsOf(turns).map((part) => unknownIn(part, "type text image_url")),
    ...partsOf(turns).map((part) => unknownIn(part.image_url, "url detail")),
    ...tools.map((tool) => unknownIn(tool, "type function")),
    ...tools.map((tool) => unknownIn(tool.function, functionFields)),
  ].find((fault) => fault !== null)
  if (unknown) return unknown
  if (format && format.type !== "json_object") return "invalid request: response_format.type must be json_object"
  for (const turn of turns)
    if (turn.content === "")
      return "invalid request: message must be at least 1 token long or tool results must be specified."
  if (!String(body.model).endsWith("-old")) return null
  if (body.seed !== undefined) return "parameter 'seed' is not supported by this model"
  if (body.logprobs !== undefined) return "logprobs are not supported by this model"
  return null
}

type Event = (JsonObject & { readonly type: string }) | typeof cut

function eventsOf(body: JsonObject, said: string): Event[] {
  const start: Event = { type: "message-start", id: "m-1", delta: { message: { role: "assistant", content: [] } } }
  const usage = {
    billed_units: { input_tokens: 90, output_tokens: 50, search_units: 2 },
    tokens: { input_tokens: 140, output_tokens: 50 },
    cached_tokens: 64,
  }
  const end = (finish_reason: string, more: JsonObject = {}): Event[] => [
    { type: "message-end", id: "m-1", delta: { finish_reason, usage, ...more } },
  ]
  const block = (index: number, type: "text" | "thinking", pieces: readonly string[]): Event[] => [
    { type: "content-start", index, delta: { message: { content: { type, [type]: "" } } } },
    ...pieces.map(
      (piece, at): Event => ({
        type: "content-delta",
        index,
        delta: { message: { content: { [type]: piece } } },
        ...(body.logprobs === true &&
          type === "text" && {
            logprobs:
              at === 0
                ? { text: piece, token_ids: [5, 6], logprobs: [-0.5, -0.25] }
                : { text: piece, token_ids: [7], logprobs: [-1] },
          }),
      }),
    ),
    { type: "content-end", index },
  ]
  const words = block(1, "text", body.response_format ? ['{"city":', '"Paris"}'] : ["It is ", "Paris"])
  if (said.includes('"role":"tool"')) return [start, ...words, ...end("COMPLETE")]
  if (said.includes("look")) {
    const call = (index: number, of: JsonObject, type = "tool-call-delta"): Event => ({
      type,
      index,
      delta: { message: { tool_calls: of } },
    })
    return [
      start,
      { type: "tool-plan-delta", delta: { message: { tool_plan: "I will look. " } } },
      call(0, { id: "look_1", type: "function", function: { name: "look", arguments: "" } }, "tool-call-start"),
      call(0, { function: { arguments: '{"city":' } }),
      call(0, { function: { arguments: '"Paris"}' } }),
      { type: "tool-call-end", index: 0 },
      call(1, { id: "look_2", type: "function", function: { name: "look", arguments: "{}" } }, "tool-call-start"),
      { type: "tool-call-end", index: 1 },
      ...end("TOOL_CALL"),
    ]
  }
  if (said.includes("long")) return [start, ...words, ...end("MAX_TOKENS")]
  if (said.includes("fault")) return [start, ...end("ERROR", { error: "the generation failed" })]
  if (said.includes("late")) return [start, ...words, ...end("TIMEOUT")]
  if (said.includes("broken")) return [start, { type: "error", message: "internal server error" }]
  if (said.includes("endless")) return [start, ...words]
  if (said.includes("cut")) return [start, ...words, cut]
  const thinks = (body.thinking as JsonObject | undefined)?.type === "enabled"
  return [
    start,
    ...(thinks ? block(0, "thinking", ["Capital… "]) : []),
    ...words,
    { type: "citation-start", index: 0, delta: { message: { citations: {} } } },
    { type: "citation-end", index: 0 },
    ...end("COMPLETE"),
  ]
}
