import type { Price } from "../core/cost.ts"
import type { JsonObject } from "../core/json.ts"
import { mediaOf } from "../core/media/message-parts.ts"
import type { ChatMessage } from "../core/message.ts"
import type { GenerationParameters, ModelRequest, Provider } from "../core/provider.ts"
import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import type { Estimate } from "../cost/budget.ts"
import { type BoundedCall, maxBatchCallCostUsd, maxCallCostUsd } from "../cost/cost-of-usage.ts"
import { type MediaRule, mediaTokens } from "../cost/media-tokens.ts"
import { listPrice } from "../cost/price-book.ts"
import { jsonInstruction, openingMessage } from "../words/reasons/calls.ts"

/** Tokens that an answer is expected to have, at most, when the variant sets no limit. */
export const assumedAnswerTokens = 1024

/** What is sent for one sample. A seed in the parameters moves on with the repeat, so that repeats are not copies. */
export function requestFor(variant: Variant, sample: Sample, repeat: number): ModelRequest {
  return { messages: messagesOf(variant, sample), parameters: parametersOf(variant, repeat) }
}

/** The prompt of a variant for one sample, with the form of the answer where nothing else states it. */
export function messagesOf({ prompt, parameters, episode }: Variant, sample: Sample): readonly ChatMessage[] {
  const messages = prompt.render(episode?.user && sample.input === null ? { ...sample, input: openingMessage } : sample)
  const { jsonSchema, structured = "schema" } = parameters
  return jsonSchema && structured !== "schema" ? withForm(messages, jsonSchema.schema) : messages
}

/** Those of a variant's calls are one object for each repeat: who asks often keeps by it what follows from it. */
const parametersOfRepeats = new WeakMap<Variant, Map<number, GenerationParameters>>()

/** The parameters of a variant's calls, its tools among them. */
export function parametersOf(variant: Variant, repeat: number): GenerationParameters {
  const existing = parametersOfRepeats.get(variant) ?? new Map<number, GenerationParameters>()
  parametersOfRepeats.set(variant, existing)
  const before = existing.get(repeat)
  if (before) return before
  const { parameters, tools } = variant
  const made = {
    ...parameters,
    ...(tools ? { tools } : {}),
    ...(parameters.seed === undefined ? {} : { seed: parameters.seed + repeat }),
  }
  existing.set(repeat, made)
  return made
}

/**
 * The most that a call is expected to use, for budgets and rate limits: a token per three characters of prompt (more than
 * any common tokenizer needs for prose), and the longest answer that it may give.
 */
export function estimateUse(
  request: ModelRequest,
  price: Price | null,
  provider?: Provider,
  way: "live" | "batch" = "live",
): Estimate {
  const members = price === null ? (provider?.traits?.members ?? []) : []
  if (members.length > 0) return together(members.map((member) => estimateUse(request, listPrice(member), member)))
  let characters = 0
  for (const message of request.messages) characters += message.content.length
  const media = mediaUse(request.messages, provider)
  const promptTokens = Math.ceil(characters / 3) + 4 * request.messages.length + media.images + media.audio
  const call = boundedCall(promptTokens, media, request.parameters, provider)
  const usd = way === "batch" ? maxBatchCallCostUsd(call, price) : maxCallCostUsd(call, price)
  return { usd, tokens: promptTokens + call.completionTokens }
}

/**
 * What a call of so many prompt tokens may use at most, with what its parameters and its provider ask for: a service tier, writes
 * into the cache.
 */
export function boundedCall(
  promptTokens: number,
  media: Pick<MediaUse, "images" | "audio">,
  { maxTokens, extra }: GenerationParameters,
  provider?: Provider,
): BoundedCall {
  const { promptCache, serviceTier } = provider?.traits ?? {}
  return {
    promptTokens,
    completionTokens: maxTokens ?? assumedAnswerTokens,
    serviceTier: typeof extra?.service_tier === "string" ? extra.service_tier : serviceTier,
    promptCache,
    ...(media.images > 0 && { imagePromptTokens: media.images }),
    ...(media.audio > 0 && { audioPromptTokens: media.audio }),
  }
}

/** Tokens of what a prompt shows and plays, by the provider's published rules. */
export interface MediaUse {
  readonly images: number
  readonly audio: number
  readonly rules: readonly MediaRule[]
}

/** What the pictures and recordings of a prompt will about use. */
export function mediaUse(messages: readonly ChatMessage[], provider: Provider | undefined): MediaUse {
  const by = { service: provider?.traits?.service ?? provider?.kind ?? null, model: provider?.model ?? "" }
  let [images, audio] = [0, 0]
  const rules = new Map<string, MediaRule>()
  for (const part of messages.flatMap(mediaOf)) {
    const { tokens, rule } = mediaTokens(part, by)
    if (part.type === "audio") audio += tokens
    else images += tokens
    rules.set(rule.name, rule)
  }
  return { images, audio, rules: [...rules.values()] }
}

/** All of them together: a call may use every one. */
function together(estimates: readonly Estimate[]): Estimate {
  const usd = estimates.map((estimate) => estimate.usd)
  return {
    usd: usd.some((cost) => cost === null) ? null : usd.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    tokens: estimates.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

/** The messages with the form of the answer at the end of the last user turn. Services that have a JSON mode want the word in the prompt. */
function withForm(messages: readonly ChatMessage[], schema: JsonObject): readonly ChatMessage[] {
  const words = jsonInstruction(JSON.stringify(schema))
  const last = messages.findLastIndex(({ role }) => role === "user")
  const turn = messages[last]
  if (!turn) return [...messages, { role: "user", content: words }]
  if (!turn.parts) return messages.with(last, { ...turn, content: `${turn.content}\n\n${words}` })
  // The words come last, behind the pictures too.
  return messages.with(last, {
    ...turn,
    content: `${turn.content}\n\n${words}`,
    parts: [...turn.parts, { type: "text", text: `\n\n${words}` }],
  })
}
