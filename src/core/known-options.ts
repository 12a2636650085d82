// Options that several factories take, for `checkOptions`; beside their types they would be public names.

import type { Price, TieredRates, TokenRates } from "./cost.ts"
import type { JsonObject } from "./json.ts"
import { each, either, having, type OptionKinds } from "./options.ts"
import type { GenerationParameters } from "./provider.ts"

const orNull = either({ number: "number", null: "null" })

const tokenRates: OptionKinds<TokenRates> = {
  inputPerMillion: "number",
  outputPerMillion: "number",
  cachedInputPerMillion: orNull,
  cacheWrite5mPerMillion: "number",
  cacheWrite1hPerMillion: "number",
  cacheWritePerMillion: "number",
  audioInputPerMillion: "number",
  cachedAudioInputPerMillion: "number",
  imageInputPerMillion: "number",
  cachedImageInputPerMillion: "number",
  videoInputPerMillion: "number",
  cachedVideoInputPerMillion: "number",
  audioOutputPerMillion: "number",
  imageOutputPerMillion: "number",
  reasoningPerMillion: "number",
}

const tieredRates: OptionKinds<TieredRates> = {
  ...tokenRates,
  longPrompts: [{ aboveTokens: "number", ...tokenRates }],
}

/** The fields of every kind of {@link Price}, for {@link checkOptions}. */
export const priceOptions: OptionKinds<Price> = {
  ...tieredRates,
  kind: { tokens: "word", hourly: "word", owned: "word", electricity: "word" },
  batchDiscount: "number",
  serviceTiers: each(either({ number: "number", object: tieredRates })),
  regions: each("number"),
  speeds: each("number"),
  unitFees: each("number"),
  perRequestUsd: "number",
  minimumUsd: "number",
  usdPerHour: "number",
  instances: "number",
  purchaseUsd: "number",
  lifeHours: "number",
  watts: "number",
  usdPerKwh: "number",
  utilisation: "number",
  requestsPerSecond: "number",
  tokensPerSecond: "number",
  capacity: either({
    text: "text",
    object: { file: "text", requestsPerSecond: "number", low: orNull, high: orNull, objectives: ["text"] },
  }),
  source: "text",
  date: "text",
}

/** What every {@link Provider} says of itself, in a config's variants and as an option. */
export const providerMembers = { kind: "text", model: "text", label: "text", endpoint: "text" } as const

/** A {@link Provider}, for {@link checkOptions}. */
export const providerOption = having({ open: "function", ...providerMembers })

/** Of what may be stated for a model that only writes texts (simulated users, summaries): its seed is evalkit's. */
export const textParameterOptions: OptionKinds<
  Omit<GenerationParameters, "seed" | "jsonSchema" | "structured" | "tools" | "topLogprobs">
> = {
  temperature: "number",
  topP: "number",
  maxTokens: "number",
  stop: ["text"],
  effort: "text",
  extra: "object",
}

/** Of {@link GenerationParameters}, for {@link checkOptions}. */
export const parameterOptions: OptionKinds<GenerationParameters> = {
  ...textParameterOptions,
  seed: "number",
  topLogprobs: "number",
  tools: ["object"],
  jsonSchema: { name: "text", schema: "object" },
  structured: { json: "word", schema: "word", prompt: "word" },
}

/**
 * Which field of an OpenAI body asks for several answers: one is read of each request, while tokens and time of all would be counted for it.
 * Null where none does.
 */
export function severalAnswersField(body: JsonObject | undefined): string | null {
  return ["n", "best_of"].find((name) => Number(body?.[name] ?? 1) > 1) ?? null
}

/** What to do instead of asking for several answers. */
export const oneAnswerAdvice = "one answer is read of each request; to ask each sample several times, set repeats"
