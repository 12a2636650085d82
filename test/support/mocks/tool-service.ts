import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { type Mock, type MockReply, startMock } from "./frame.ts"

/** A call as a model writes it: its arguments are the text that goes over the wire. */
export interface WrittenCall {
  readonly id: string
  readonly name: string
  readonly json: string
}

/** A result of a tool as the service received it. */
export interface ReceivedResult {
  readonly id: string
  readonly text: string
}

/** How a service speaks of tools. */
export interface ToolDialect {
  /** Events of an answer that makes these calls, with `text` before them; arguments come in pieces of `piece` characters. */
  answer(calls: readonly WrittenCall[], text: string, piece: number): readonly string[]
  /** Names of the tools that a request offers. */
  offered(body: JsonObject): readonly string[]
  /** Results that the last turn of a request brings. */
  results(body: JsonObject): readonly ReceivedResult[]
}

const list = (value: JsonValue | undefined): readonly JsonObject[] => (value ?? []) as unknown as readonly JsonObject[]

const pieces = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** Chat completions: deltas by index, the pieces of parallel calls one after the other. */
export const openaiTools: ToolDialect = {
  answer(calls, text, size) {
    const delta = (entry: object, finish: string | null = null) =>
      data({ model: "m-1", choices: [{ index: 0, delta: entry, finish_reason: finish }] })
    return [
      delta({ role: "assistant", content: text || null }),
      ...calls.flatMap(({ id, name, json }, index) => [
        delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        ...pieces(json, size).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      delta({}, calls.length > 0 ? "tool_calls" : "stop"),
      data({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } }),
      "data: [DONE]\n\n",
    ]
  },
  offered: (body) => list(body.tools).map((tool) => String((tool.function as JsonObject).name)),
  results: (body) =>
    list(body.messages).flatMap(({ role, tool_call_id, content }) =>
      role === "tool" ? [{ id: String(tool_call_id), text: String(content) }] : [],
    ),
}

/** Messages: one block a call, its input in pieces of JSON. */
export const anthropicTools: ToolDialect = {
  answer(calls, text, size) {
    const event = (type: string, more: object) => `event: ${type}\n${data({ type, ...more })}`
    const block = (index: number, start: object, deltas: readonly object[]) => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]
    const usage = { input_tokens: 20, output_tokens: 1 }
    return [
      event("message_start", { message: { id: "msg", role: "assistant", content: [], model: "m-1", usage } }),
      ...(text ? block(0, { type: "text", text: "" }, [{ type: "text_delta", text }]) : []),
      ...calls.flatMap(({ id, name, json }, i) =>
        block(
          i + 1,
          { type: "tool_use", id, name, input: {} },
          pieces(json, size).map((partial_json) => ({ type: "input_json_delta", partial_json })),
        ),
      ),
      event("message_delta", {
        delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" },
        usage: { output_tokens: 5 },
      }),
      event("message_stop", {}),
    ]
  },
  offered: (body) => list(body.tools).map(({ name }) => String(name)),
  results: (body) =>
    list(list(body.messages).at(-1)?.content).flatMap(({ type, tool_use_id, content }) =>
      type === "tool_result" ? [{ id: String(tool_use_id), text: String(content) }] : [],
    ),
}

/** generateContent: calls come whole, each in a chunk of its own, and JSON that is none ends the answer. */
export const geminiTools: ToolDialect = {
  answer(calls, text) {
    const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 }
    const chunk = (parts: readonly object[], finishReason?: string) =>
      data({ candidates: [{ content: { role: "model", parts }, index: 0, finishReason }], usageMetadata })
    const isBroken = calls.some(({ json }) => !isJson(json))
    if (isBroken) return [chunk([], "MALFORMED_FUNCTION_CALL")]
    return [
      ...(text ? [chunk([{ text }])] : []),
      ...calls.map(({ id, name, json }) =>
        chunk([{ functionCall: { id, name, args: JSON.parse(json) as JsonObject } }]),
      ),
      chunk([], "STOP"),
    ]
  },
  offered: (body) => list(list(body.tools)[0]?.functionDeclarations).map(({ name }) => String(name)),
  results: (body) =>
    list(list(body.contents).at(-1)?.parts).flatMap(({ functionResponse }) => {
      const input = functionResponse as JsonObject | undefined
      if (!input) return []
      const response = input.response as JsonObject
      return [
        {
          id: String(input.id),
          text: typeof response.output === "string" ? response.output : JSON.stringify(response),
        },
      ]
    }),
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * A service that asks for calls in its first answers, one list after the other, and says "done" when it was given their results; it
 * refuses a request whose last turn does not answer each of its calls, as the real ones do.
 */
export function startToolService(
  dialect: ToolDialect,
  rounds: readonly (readonly WrittenCall[])[],
  piece = 3,
): Promise<Mock> {
  return startMock(({ body }): MockReply => {
    const results = dialect.results(body)
    const cache = new Map(rounds.map((calls, round) => [calls.map(({ id }) => id).join(), round]))
    const ids = results.map(({ id }) => id)
    // Results of all rounds may be in one history: the last ones count.
    const answered = [...cache]
      .filter(([key]) => ids.slice(-key.split(",").length).join() === key)
      .map(([, round]) => round)
    if (results.length > 0 && answered.length === 0)
      return { status: 400, body: { error: { message: `results do not answer the calls: ${ids.join()}` } } }
    const round = answered.length === 0 ? 0 : Math.max(...answered) + 1
    const calls = rounds[round] ?? []
    return { events: dialect.answer(calls, calls.length === 0 ? "done" : "", piece) }
  })
}
