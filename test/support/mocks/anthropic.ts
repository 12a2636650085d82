import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { cut, type Mock, startMock, unknownMember } from "./frame.ts"

/** Members of a request, as `MessageCreateParams` of anthropics/anthropic-sdk-typescript 0.120.0 has them. */
const fields =
  "model max_tokens messages system temperature top_p top_k stop_sequences tools tool_choice thinking output_config metadata service_tier inference_geo stream cache_control container"
const blockTypes = new Set(["text", "tool_use", "tool_result", "image", "thinking", "redacted_thinking"])

/**
 * Answers by the words of the last user turn: `tool`, `refuse`, `long`, `overloaded`, `broken`, `cut`; else with thinking (when it is
 * asked for) and text. Models whose name ends in `-new` refuse a temperature, as Opus 4.7 does.
 */
export function startAnthropicMock(key: string): Promise<Mock> {
  return startMock(({ url, headers, body }) => {
    const refuse = (status: number, type: string, message: string) => ({
      status,
      headers: { "request-id": "req_011" },
      body: { type: "error", error: { type, message }, request_id: "req_011" },
    })
    if (url !== "/v1/messages") return refuse(404, "not_found_error", "Not found")
    if (headers["x-api-key"] !== key) return refuse(401, "authentication_error", "invalid x-api-key")
    if (headers["anthropic-version"] !== "2023-06-01")
      return refuse(400, "invalid_request_error", "anthropic-version: header is required")
    const fault = faultOf(body)
    if (fault !== null) return refuse(400, "invalid_request_error", fault)
    const said = JSON.stringify((body.messages as JsonValue[]).at(-1))
    if (said.includes("overloaded")) return refuse(529, "overloaded_error", "Overloaded")
    return {
      headers: { "request-id": "req_012" },
      events: eventsOf(body, said).map((event) =>
        event === cut ? cut : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      ),
    }
  })
}

function faultOf(body: JsonObject): string | null {
  const unknown = unknownMember(body, fields)
  if (unknown !== null) return `${unknown}: Extra inputs are not permitted`
  if (typeof body.max_tokens !== "number") return "max_tokens: Field required"
  if (body.temperature !== undefined && String(body.model).endsWith("-new"))
    return "`temperature` is deprecated for this model"
  const thinking = body.thinking as JsonObject | undefined
  if (thinking?.type === "enabled" && (thinking.budget_tokens as number) >= (body.max_tokens as number))
    return "`max_tokens` must be greater than `thinking.budget_tokens`"
  let role = ""
  for (const [i, turn] of (body.messages as JsonObject[]).entries()) {
    if (turn.role !== "user" && turn.role !== "assistant")
      return `messages.${i}.role: Input should be 'user' or 'assistant'`
    for (const block of turn.content as JsonObject[]) {
      const fault = pictureFault(block)
      if (fault) return `messages.${i}.content.${fault}`
    }
    for (const block of turn.content as JsonObject[])
      if (!blockTypes.has(String(block.type))) return `messages.${i}.content: unknown block ${String(block.type)}`
    if (thinking?.type === "enabled") {
      const result = thoughtFault(turn.content as JsonObject[])
      if (result) return `messages.${i}.content.0.${result}`
    }
    if (i === 0 && turn.role !== "user") return "messages: first message must use the user role"
    role = String(turn.role)
  }
  return role === "user" ? null : "This model does not support assistant message prefill"
}

/** With thinking, a turn that calls tools must begin with the thinking that it was signed with, unchanged (extended thinking with tool use). */
function thoughtFault(blocks: readonly JsonObject[]): string | null {
  if (!blocks.some(({ type }) => type === "tool_use")) return null
  const [first] = blocks
  if (first?.type !== "thinking" && first?.type !== "redacted_thinking")
    return `type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first?.type)}\``
  const isWhole = first.type === "redacted_thinking" || (first.thinking === "Capital… " && first.signature === "EqQB")
  return isWhole ? null : "signature: Invalid `signature` in `thinking` block"
}

/** Pictures, as `Base64ImageSource` and `URLImageSource` have them. */
function pictureFault({ type, source }: JsonObject): string | null {
  if (type !== "image") return null
  const { type: kind, media_type: media, data, url, ...rest } = source as JsonObject
  if (Object.keys(rest).length > 0) return "image.source: Extra inputs are not permitted"
  if (kind === "url") return typeof url === "string" && media === undefined ? null : "image.source.url: Field required"
  if (kind !== "base64") return "image.source.type: Input tag is none of the expected tags"
  if (!/^image\/(jpeg|png|gif|webp)$/.test(String(media)))
    return "image.source.base64.media_type: Input should be an image"
  return Buffer.from(String(data), "base64").length > 0 ? null : "image.source.base64.data: Could not process image"
}

type Event = (JsonObject & { readonly type: string }) | typeof cut

function eventsOf(body: JsonObject, said: string): Event[] {
  const usage = {
    input_tokens: 12,
    cache_creation_input_tokens: 1000,
    cache_creation: { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 400 },
    cache_read_input_tokens: 300,
    output_tokens: 1,
    service_tier: "standard",
  }
  const start: Event = {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: `${String(body.model)}-20260801`,
      content: [],
      usage,
    },
  }
  const end = (reason: string, output: number, more: JsonObject = {}): Event[] => [
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null, ...more },
      usage: { output_tokens: output },
    },
    { type: "message_stop" },
  ]
  const block = (index: number, first: JsonObject, deltas: readonly JsonObject[]): Event[] => [
    { type: "content_block_start", index, content_block: first },
    ...deltas.map((delta): Event => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]
  const words = block(1, { type: "text", text: "" }, [
    { type: "text_delta", text: "It is " },
    { type: "text_delta", text: "Paris" },
  ])
  const thinks = (body.thinking as JsonObject | undefined)?.type === "enabled"
  const thought = thinks
    ? block(0, { type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking: "Capital… " },
        { type: "signature_delta", signature: "EqQB" },
      ])
    : []
  const secret = said.includes("secretly") ? block(1, { type: "redacted_thinking", data: "Gk4=" }, []) : []
  if (said.includes("tool_result")) return [start, ...words, ...end("end_turn", 4)]
  if (said.includes("tool"))
    return [
      start,
      ...thought,
      ...secret,
      ...block(2, { type: "tool_use", id: "toolu_1", name: "look", input: {} }, [
        { type: "input_json_delta", partial_json: '{"city":' },
        { type: "input_json_delta", partial_json: '"Paris"}' },
      ]),
      ...end("tool_use", 9),
    ]
  if (said.includes("refuse")) return [start, ...end("refusal", 2, { stop_details: { category: "cyber" } })]
  if (said.includes("long")) return [start, ...words, ...end("max_tokens", 3)]
  if (said.includes("broken"))
    return [start, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]
  if (said.includes("cut")) return [start, ...words, cut]
  return [
    start,
    { type: "ping" },
    ...thought,
    ...words,
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 44, ...(thinks && { output_tokens_details: { thinking_tokens: 40 } }) },
    },
    { type: "message_stop" },
  ]
}
