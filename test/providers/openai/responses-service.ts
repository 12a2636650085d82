import { openai } from "evalkit"
import type {
  Response,
  ResponseCreateParamsStreaming,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from "openai/resources/responses/responses"
import { afterEach } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import type { ChatMessage, ToolDefinition } from "../../../src/core/message.ts"
import type { GenerationParameters } from "../../../src/core/provider.ts"
import type { OpenaiOptions } from "../../../src/providers/openai/options.ts"
import { testContext, testTimeouts } from "../../support/ask.ts"
import { type Loopback, serveLoopback } from "../../support/loopback.ts"

/** A service that speaks the Responses API; its events and the bodies that are expected have the types of the maker's own package. */
type Reply = readonly ResponseStreamEvent[] | { readonly status: number; readonly body: object }

export const bodies: ResponseCreateParamsStreaming[] = []
export let server: Loopback
/** Forgets what was asked after each test of the file that calls it: files of one process share this module. */
export function closeAfterEach(): void {
  afterEach(async () => {
    bodies.length = 0
    await server?.close()
  })
}

export async function serve(reply: (body: ResponseCreateParamsStreaming) => Reply): Promise<string> {
  server = await serveLoopback((request, response, text) => {
    const body = JSON.parse(text) as ResponseCreateParamsStreaming
    bodies.push(body)
    const answer = request.url === "/v1/responses" ? reply(body) : { status: 404, body: { detail: request.url } }
    if ("status" in answer) {
      response.writeHead(answer.status, { "content-type": "application/json" })
      return void response.end(JSON.stringify(answer.body))
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const event of answer) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  return server.url
}

interface Asked {
  readonly messages?: readonly ChatMessage[]
  readonly parameters?: GenerationParameters
  readonly options?: Partial<OpenaiOptions>
}

export async function ask(baseUrl: string, { messages = question, parameters = {}, options = {} }: Asked = {}) {
  const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, api: "responses", ...options }).open(
    testContext(),
  )
  const now = systemClock.now()
  const moment = { clock: systemClock, originMs: now, scheduledMs: now, timeouts: testTimeouts }
  try {
    const { signal } = new AbortController()
    return { ...(await session.request({ messages, parameters }, { ...moment, signal })), notes: session.notes() }
  } finally {
    await session.close()
  }
}

export const question: readonly ChatMessage[] = [{ role: "user", content: "Capital of France?" }]

export const usage: ResponseUsage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 6 },
  total_tokens: 49,
}

export function responseOf(
  status: Response["status"],
  output: ResponseOutputItem[],
  rest: Partial<Response> = {},
): Response {
  return {
    ...{ id: "resp_1", object: "response", created_at: 0, model: "m-2026", output_text: "", parallel_tool_calls: true },
    ...{ error: null, incomplete_details: null, instructions: null, metadata: null, temperature: 1, top_p: 1 },
    ...{ tool_choice: "auto", tools: [], status: status ?? "completed", output, usage, service_tier: "default" },
    ...rest,
  }
}

let sequence = 0
export const at = (index: number) => ({ sequence_number: sequence++, output_index: index, item_id: `item_${index}` })

/** The events of an item of text. */
export function spoken(words: readonly string[], index = 0): readonly ResponseStreamEvent[] {
  const text = words.join("")
  const part = { type: "output_text", text, annotations: [] } as const
  return [
    { type: "response.output_item.added", item: message([], index), ...at(index) },
    {
      type: "response.content_part.added",
      content_index: 0,
      part: { ...part, text: "", annotations: [] },
      ...at(index),
    },
    ...words.map(
      (delta): ResponseStreamEvent => ({
        ...{ type: "response.output_text.delta", content_index: 0, delta, logprobs: [], ...at(index) },
      }),
    ),
    { type: "response.output_text.done", content_index: 0, text, logprobs: [], ...at(index) },
    { type: "response.content_part.done", content_index: 0, part: { ...part, annotations: [] }, ...at(index) },
    { type: "response.output_item.done", item: message([text], index), ...at(index) },
  ]
}

export function message(texts: readonly string[], index: number): ResponseOutputItem {
  const content = texts.map((text) => ({ type: "output_text" as const, text, annotations: [] }))
  return { type: "message", id: `item_${index}`, role: "assistant", status: "completed", content }
}

export const created: ResponseStreamEvent = {
  ...{ type: "response.created", sequence_number: 0, response: responseOf("in_progress", [], {}) },
}

export function completed(output: ResponseOutputItem[]): ResponseStreamEvent {
  return { type: "response.completed", sequence_number: sequence++, response: responseOf("completed", output) }
}

export const paris = [created, ...spoken(["Par", "is", "."]), completed([message(["Paris."], 0)])]

export const find: ToolDefinition = {
  name: "find",
  description: "Finds.",
  parameters: { type: "object", properties: {} },
}
