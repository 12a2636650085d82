import { beginAnswers, readPrompt } from "../chat-completions.ts"
import type { ChatPrompt } from "../chat-prompt.ts"
import { type ReadWork, type Serving, timingsOf, usageOf } from "../completion-work.ts"
import type { Ending, Piece } from "../generate.ts"
import type { LoadedModel } from "../load-model.ts"
import type { ServedLogprob } from "../token-logprob.ts"
import type { ResponsesBody, ResponsesRequest } from "./responses-body.ts"

/** One item of an answer: a text, or a call of a function. */
type Item =
  | { readonly kind: "text"; readonly id: string; text: string; readonly logprobs: ServedLogprob[] }
  | { readonly kind: "call"; readonly id: string; readonly callId: string; readonly name: string; arguments: string }

/**
 * Answers `POST /v1/responses` from the same generation as a chat request: the events of OpenAI's stream, in their order, or the response alone
 * when nothing is streamed. Nothing is kept of it.
 */
export function modelResponse(loaded: LoadedModel, request: ResponsesRequest): ReadWork {
  const prompt = readPrompt(loaded, request.chat)
  return { prompt: null, answer: (serving) => answerOf(serving, request, prompt) }
}

async function* answerOf(
  serving: Serving,
  { asked, chat }: ResponsesRequest,
  prompt: ChatPrompt,
): AsyncGenerator<unknown> {
  const answers = await beginAnswers(serving, chat, prompt)
  const promptTokens = prompt.tokens.length
  const items: Item[] = []
  let sequence = 0
  const event = (type: string, fields: object) => ({ type, sequence_number: sequence++, ...fields })
  const whole = (status: string, ending?: Ending) => responseOf(serving, asked, status, items, promptTokens, ending)
  if (chat.stream) {
    yield event("response.created", { response: whole("in_progress") })
    yield event("response.in_progress", { response: whole("in_progress") })
  }
  const begin = answers[0]
  if (!begin) return
  const pieces = begin()
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next()) {
    const last = items.at(-1)
    if (isNew(last, next.value)) {
      if (last && chat.stream)
        for (const [type, fields] of doneEvents(last, items.length - 1)) yield event(type, fields)
      const item = begun(serving, next.value, items.length)
      items.push(item)
      if (chat.stream) for (const [type, fields] of addedEvents(item, items.length - 1)) yield event(type, fields)
    }
    const delta = append(items.at(-1) as Item, next.value, items.length - 1)
    if (delta && chat.stream) yield event(...delta)
  }
  const ending = next.value
  const status = ending.finishReason === "length" ? "incomplete" : "completed"
  if (!chat.stream) {
    yield whole(status, ending)
    return
  }
  const last = items.at(-1)
  if (last) for (const [type, fields] of doneEvents(last, items.length - 1, status)) yield event(type, fields)
  yield event(`response.${status}`, { response: whole(status, ending) })
}

function isNew(last: Item | undefined, { call }: Piece): boolean {
  return call ? call.name !== undefined : last?.kind !== "text"
}

function begun({ id }: Serving, { call }: Piece, index: number): Item {
  const own = `${id.slice(id.indexOf("-") + 1)}_${index}`
  return call?.name === undefined
    ? { kind: "text", id: `msg_${own}`, text: "", logprobs: [] }
    : { kind: "call", id: `fc_${own}`, callId: call.id, name: call.name, arguments: "" }
}

/** Adds a piece to its item; the event that tells it, if there is something to tell. */
function append(item: Item, { text, logprobs, call }: Piece, index: number): [string, object] | null {
  const at = { item_id: item.id, output_index: index }
  if (item.kind === "call") {
    item.arguments += call?.arguments ?? ""
    return call?.arguments ? ["response.function_call_arguments.delta", { ...at, delta: call.arguments }] : null
  }
  item.text += text
  item.logprobs.push(...logprobs)
  return ["response.output_text.delta", { ...at, content_index: 0, delta: text, logprobs }]
}

function addedEvents(item: Item, index: number): readonly (readonly [string, object])[] {
  const added = [
    "response.output_item.added",
    { output_index: index, item: { ...itemOf(item, "in_progress"), ...(item.kind === "text" && { content: [] }) } },
  ] as const
  if (item.kind === "call") return [added]
  const part = { type: "output_text", text: "", annotations: [], logprobs: [] }
  return [added, ["response.content_part.added", { item_id: item.id, output_index: index, content_index: 0, part }]]
}

function doneEvents(item: Item, index: number, status = "completed"): readonly (readonly [string, object])[] {
  const at = { item_id: item.id, output_index: index }
  const done = ["response.output_item.done", { output_index: index, item: itemOf(item, status) }] as const
  if (item.kind === "call")
    return [["response.function_call_arguments.done", { ...at, name: item.name, arguments: item.arguments }], done]
  const { text, logprobs } = item
  return [
    ["response.output_text.done", { ...at, content_index: 0, text, logprobs }],
    ["response.content_part.done", { ...at, content_index: 0, part: partOf(item) }],
    done,
  ]
}

function partOf({ text, logprobs }: Extract<Item, { kind: "text" }>) {
  return { type: "output_text", text, annotations: [], logprobs }
}

function itemOf(item: Item, status: string) {
  return item.kind === "text"
    ? { id: item.id, type: "message", status, role: "assistant", content: [partOf(item)] }
    : { id: item.id, type: "function_call", status, call_id: item.callId, name: item.name, arguments: item.arguments }
}

function responseOf(
  serving: Serving,
  asked: ResponsesBody,
  status: string,
  items: readonly Item[],
  promptTokens: number,
  ending?: Ending,
) {
  return {
    id: serving.id,
    object: "response",
    created_at: serving.created,
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    model: serving.loaded.name,
    output: items.map((item, i) => itemOf(item, i === items.length - 1 ? status : "completed")),
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: asked.temperature ?? 1,
    text: { format: asked.text?.format ?? { type: "text" } },
    tool_choice: asked.tool_choice ?? "auto",
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? 1,
    truncation: "disabled",
    usage: ending ? responseUsage(promptTokens, ending) : null,
    user: null,
    metadata: asked.metadata ?? {},
    ...(ending && { timings: timingsOf(promptTokens, ending) }),
  }
}

function responseUsage(promptTokens: number, ending: Ending) {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details } = usageOf(promptTokens, ending)
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: prompt_tokens_details,
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens,
  }
}
