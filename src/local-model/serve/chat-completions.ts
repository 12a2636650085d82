import { type ChatPrompt, chatPrompt } from "./chat-prompt.ts"
import {
  checkCharacters,
  checkLength,
  endOfValue,
  grammarFor,
  type Serving,
  samplingOptions,
  timingsOf,
  usageOf,
} from "./completion-work.ts"
import { refuseTemplateOptions } from "./fields/template-options.ts"
import { type Ending, generate, type Piece } from "./generate.ts"
import type { LoadedModel } from "./load-model.ts"
import type { ChatBody } from "./request-body.ts"
import { scoreTokens } from "./score-tokens.ts"
import type { ServedLogprob } from "./token-logprob.ts"
import { callTools, toolGrammars } from "./tools/call-tools.ts"
import { toolChoiceOf } from "./tools/tool-body.ts"

/** Answers `POST /v1/chat/completions`. Each JSON value is one event of the stream, or the only one when nothing is streamed. */
export async function* chatCompletion(serving: Serving, body: ChatBody): AsyncGenerator<unknown> {
  if (body.echo) return yield* scoredAnswer(serving, body)
  const prompt = readPrompt(serving.loaded, body)
  const pieces = await beginAnswer(serving, body, prompt)
  const { length } = prompt.tokens
  yield* body.stream ? streamed(serving, body, pieces, length) : whole(serving, body, pieces, length)
}

/** Renders the prompt of a chat request, with the functions that may be called. Throws 400 when there is no room for an answer. */
function readPrompt(loaded: LoadedModel, body: ChatBody): ChatPrompt {
  refuseTemplateOptions(loaded.model.fileInfo.metadata.tokenizer?.chat_template, body)
  const tools = toolChoiceOf(body) ? (body.tools ?? []) : []
  const prompt = chatPrompt(
    loaded,
    body.messages,
    tools.map((tool) => tool.function),
  )
  checkLength(loaded, prompt.tokens, 1, "messages")
  return prompt
}

/** A piece of an answer after the other, then how it ended. */
type Pieces = AsyncGenerator<Piece, Ending>

async function beginAnswer(serving: Serving, body: ChatBody, prompt: ChatPrompt): Promise<Pieces> {
  const { loaded, signal } = serving
  const choice = toolChoiceOf(body)
  const grammar = await grammarFor(loaded, body.response_format)
  const options = {
    ...samplingOptions(body),
    tokens: prompt.tokens,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY,
    alternatives: body.logprobs ? (body.top_logprobs ?? 0) : null,
    stopTokens: prompt.stopTokens,
    stopTexts: [...prompt.stopTexts, ...body.stop, ...(grammar ? [endOfValue] : [])],
    grammar,
    signal,
  }
  return choice
    ? callTools(serving, options, choice, await toolGrammars(loaded, choice.callable))
    : generate(loaded, serving.sequence, options)
}

/** The last message's own tokens with their log-probabilities, given the messages before it. */
async function* scoredAnswer(serving: Serving, body: ChatBody): AsyncGenerator<unknown> {
  const { loaded, sequence, signal } = serving
  const content = body.messages.at(-1)?.content ?? ""
  checkCharacters(loaded, content.length, "messages")
  const prompt = chatPrompt(loaded, body.messages.slice(0, -1)).tokens
  const tokens = [...prompt, ...loaded.model.tokenize(content)]
  checkLength(loaded, tokens, 0, "messages")
  const logprobs = await scoreTokens(loaded, sequence, {
    tokens,
    from: Math.max(1, prompt.length),
    alternatives: body.top_logprobs ?? 0,
    signal,
  })
  const choice = { index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: "stop" }
  yield {
    ...headOf(serving, "chat.completion"),
    choices: [{ ...choice, logprobs: { content: logprobs, refusal: null } }],
    usage: usageOf(tokens.length, { completionTokens: 0, cachedPromptTokens: 0 }),
  }
}

async function* streamed(
  serving: Serving,
  body: ChatBody,
  pieces: Pieces,
  promptTokens: number,
): AsyncGenerator<unknown> {
  const head = headOf(serving, "chat.completion.chunk")
  // With include_usage every chunk states a usage, null until the last one.
  const usage = body.stream_options?.include_usage ? { usage: null } : {}
  let role: { role?: "assistant" } = { role: "assistant" }
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next()) {
    const { text, logprobs, call } = next.value
    const delta = { ...role, ...(call ? { tool_calls: [callDelta(call)] } : { content: text }) }
    role = {}
    yield { ...head, choices: [{ index: 0, delta, logprobs: listed(body, logprobs), finish_reason: null }], ...usage }
  }
  const ending = next.value
  const choice = { index: 0, delta: role, logprobs: null, finish_reason: ending.finishReason }
  yield { ...head, choices: [choice], ...usage, timings: timingsOf(promptTokens, ending) }
  if (body.stream_options?.include_usage) yield { ...head, choices: [], usage: usageOf(promptTokens, ending) }
}

async function* whole(serving: Serving, body: ChatBody, pieces: Pieces, promptTokens: number): AsyncGenerator<unknown> {
  let content = ""
  const logprobs: ServedLogprob[] = []
  const calls: { id: string; type: "function"; function: { name: string; arguments: string } }[] = []
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next()) {
    const { call } = next.value
    if (call?.name !== undefined)
      calls.push({ id: call.id, type: "function", function: { name: call.name, arguments: "" } })
    const last = calls.at(-1)
    if (call && last) last.function.arguments += call.arguments
    content += next.value.text
    logprobs.push(...next.value.logprobs)
  }
  const ending = next.value
  const isCall = calls.length > 0
  const message = {
    role: "assistant",
    content: isCall && content === "" ? null : content,
    refusal: null,
    ...(isCall && { tool_calls: calls }),
  }
  const choice = { index: 0, message, logprobs: listed(body, logprobs), finish_reason: ending.finishReason }
  yield {
    ...headOf(serving, "chat.completion"),
    choices: [choice],
    usage: usageOf(promptTokens, ending),
    timings: timingsOf(promptTokens, ending),
  }
}

/** A part of a call in OpenAI's words: name and id stand in its first part only. */
function callDelta({ index, id, name, arguments: args }: NonNullable<Piece["call"]>) {
  return name === undefined
    ? { index, function: { arguments: args } }
    : { index, id, type: "function", function: { name, arguments: args } }
}

function headOf(serving: Serving, object: string) {
  return { id: serving.id, object, created: serving.created, model: serving.loaded.name }
}

function listed(body: ChatBody, logprobs: readonly ServedLogprob[]) {
  return body.logprobs ? { content: logprobs, refusal: null } : null
}
