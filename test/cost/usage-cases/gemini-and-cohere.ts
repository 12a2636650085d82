import { readChatUsage } from "../../../src/capture/usage/chat-usage.ts"
import { readCohereUsage } from "../../../src/capture/usage/cohere-usage.ts"
import { readGeminiUsage } from "../../../src/capture/usage/gemini-usage.ts"
import { type UsageCase, usageCase } from "./usage-case.ts"

const flash = {
  inputPerMillion: 0.3,
  cachedInputPerMillion: 0.03,
  outputPerMillion: 2.5,
  imageInputPerMillion: 0.3,
  videoInputPerMillion: 0.3,
  cachedImageInputPerMillion: 0.03,
  audioInputPerMillion: 1,
  cachedAudioInputPerMillion: 0.1,
  imageOutputPerMillion: 30,
  serviceTiers: { flex: 0.5, priority: 1.8 },
}
const command = { inputPerMillion: 2.5, outputPerMillion: 10, unitFees: { searchUnit: 0.002 } }
const generate = { source: "ai.google.dev/api/generate-content (UsageMetadata)", read: readGeminiUsage }
const cohere = { source: "docs.cohere.com/reference/chat (usage)", read: readCohereUsage }
const gemini = (usageMetadata: object, rest: object = {}) => ({ usageMetadata, ...rest })

/** Gemini, native and compatible, and Cohere's v2. */
export const geminiAndCohereCases: readonly UsageCase[] = [
  usageCase(
    "prompt and candidates",
    generate,
    flash,
    ["100*0.3 + 50*2.5", "0.000155"],
    gemini({ promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 }),
  ),
  usageCase(
    "a cached part of the prompt",
    { source: "ai.google.dev/gemini-api/docs/caching", read: readGeminiUsage },
    flash,
    ["20*0.3 + 80*0.03 + 50*2.5", "0.0001334"],
    gemini({
      promptTokenCount: 100,
      cachedContentTokenCount: 80,
      candidatesTokenCount: 50,
      totalTokenCount: 150,
      cacheTokensDetails: [{ modality: "TEXT", tokenCount: 80 }],
    }),
  ),
  usageCase(
    "thoughts beside the candidates",
    { source: "ai.google.dev/gemini-api/docs/thinking", read: readGeminiUsage },
    flash,
    ["100*0.3 + 80*2.5", "0.00023"],
    gemini({ promptTokenCount: 100, candidatesTokenCount: 50, thoughtsTokenCount: 30, totalTokenCount: 180 }),
  ),
  usageCase(
    "thoughts and no candidates",
    { source: "pydantic/genai-prices, google.yml (candidatesTokenCount can be missing)", read: readGeminiUsage },
    flash,
    ["100*0.3 + 30*2.5", "0.000105"],
    gemini({ promptTokenCount: 100, thoughtsTokenCount: 30, totalTokenCount: 130 }),
  ),
  usageCase(
    "a prompt that was refused",
    { source: "ai.google.dev/api/generate-content (promptFeedback)", read: readGeminiUsage },
    flash,
    ["100*0.3", "0.00003"],
    gemini({ promptTokenCount: 100, totalTokenCount: 100 }, { promptFeedback: { blockReason: "SAFETY" } }),
  ),
  usageCase(
    "results of a built-in tool, read as prompt",
    generate,
    flash,
    ["140*0.3 + 50*2.5", "0.000167"],
    gemini({
      promptTokenCount: 100,
      toolUsePromptTokenCount: 40,
      candidatesTokenCount: 50,
      totalTokenCount: 190,
    }),
  ),
  usageCase(
    "audio in the prompt",
    { source: "ai.google.dev/gemini-api/docs/pricing (audio input)", read: readGeminiUsage },
    flash,
    ["40*0.3 + 60*1 + 50*2.5", "0.000197"],
    gemini({
      promptTokenCount: 100,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 40 },
        { modality: "AUDIO", tokenCount: 60 },
      ],
      candidatesTokenCount: 50,
    }),
  ),
  usageCase(
    "audio of which a part was cached",
    generate,
    flash,
    ["100*0.3 + 100*0.03 + 200*1 + 600*0.1 + 10*2.5", "0.000318"],
    gemini({
      promptTokenCount: 1000,
      cachedContentTokenCount: 700,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 200 },
        { modality: "AUDIO", tokenCount: 800 },
      ],
      cacheTokensDetails: [
        { modality: "TEXT", tokenCount: 100 },
        { modality: "AUDIO", tokenCount: 600 },
      ],
      candidatesTokenCount: 10,
    }),
  ),
  usageCase(
    "an image and a document in the prompt",
    { source: "ai.google.dev/gemini-api/docs/document-processing", read: readGeminiUsage },
    flash,
    ["818*0.3 + 20*2.5", "0.0002954"],
    gemini({
      promptTokenCount: 818,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 2 },
        { modality: "IMAGE", tokenCount: 558 },
        { modality: "DOCUMENT", tokenCount: 258 },
      ],
      candidatesTokenCount: 20,
    }),
  ),
  usageCase(
    "an image as the answer",
    { source: "ai.google.dev/gemini-api/docs/pricing (gemini-2.5-flash-image)", read: readGeminiUsage },
    flash,
    ["10*0.3 + 10*2.5 + 1290*30", "0.038728"],
    gemini({
      promptTokenCount: 10,
      candidatesTokenCount: 1300,
      candidatesTokensDetails: [
        { modality: "TEXT", tokenCount: 10 },
        { modality: "IMAGE", tokenCount: 1290 },
      ],
    }),
  ),
  usageCase(
    "audio of which nobody states a price",
    generate,
    { inputPerMillion: 0.3, outputPerMillion: 2.5 },
    ["40*0.3 + 50*2.5", "0.000137", /60 audio tokens of the prompt/],
    gemini({
      promptTokenCount: 100,
      promptTokensDetails: [{ modality: "AUDIO", tokenCount: 60 }],
      candidatesTokenCount: 50,
    }),
  ),
  usageCase(
    "the flex tier",
    { source: "ai.google.dev/gemini-api/docs/pricing (flex)", read: readGeminiUsage },
    flash,
    ["100*0.3*0.5 + 50*2.5*0.5", "0.0000775"],
    gemini({ promptTokenCount: 100, candidatesTokenCount: 50, serviceTier: "FLEX" }),
  ),
  usageCase(
    "Vertex's priority traffic",
    { source: "googleapis/js-genai, TrafficType", read: readGeminiUsage },
    flash,
    ["100*0.3*1.8 + 50*2.5*1.8", "0.000279"],
    gemini({ promptTokenCount: 100, candidatesTokenCount: 50, trafficType: "ON_DEMAND_PRIORITY" }),
  ),
  usageCase(
    "Vertex's usual traffic",
    { source: "googleapis/js-genai, TrafficType", read: readGeminiUsage },
    flash,
    ["100*0.3 + 50*2.5", "0.000155"],
    gemini({ promptTokenCount: 100, candidatesTokenCount: 50, trafficType: "ON_DEMAND" }),
  ),
  usageCase(
    "a prompt above 200,000 tokens",
    { source: "ai.google.dev/gemini-api/docs/pricing (prompts > 200k)", read: readGeminiUsage },
    { book: ["gemini", "gemini-2.5-pro"] },
    ["100001*2.5 + 100000*0.25 + 1000*15", "0.2900025"],
    gemini({ promptTokenCount: 200001, cachedContentTokenCount: 100000, candidatesTokenCount: 1000 }),
  ),
  usageCase(
    "a prompt of just 200,000 tokens",
    { source: "ai.google.dev/gemini-api/docs/pricing (prompts <= 200k)", read: readGeminiUsage },
    { book: ["gemini", "gemini-2.5-pro"] },
    ["200000*1.25 + 1000*10", "0.26"],
    gemini({ promptTokenCount: 200000, candidatesTokenCount: 1000 }),
  ),
  usageCase(
    "the price book's audio rate",
    { source: "ai.google.dev/gemini-api/docs/pricing", read: readGeminiUsage },
    { book: ["gemini", "gemini-2.5-flash"] },
    ["100*0.3 + 900*1 + 100*2.5", "0.00118"],
    gemini({
      promptTokenCount: 1000,
      promptTokensDetails: [{ modality: "AUDIO", tokenCount: 900 }],
      candidatesTokenCount: 100,
    }),
  ),
  usageCase(
    "grounding with two searches, of which nobody states a price",
    { source: "ai.google.dev/gemini-api/docs/google-search", read: readGeminiUsage },
    flash,
    ["100*0.3 + 50*2.5", "0.000155", /2 × webSearch/],
    gemini(
      { promptTokenCount: 100, candidatesTokenCount: 50 },
      { candidates: [{ groundingMetadata: { webSearchQueries: ["a", "b"] } }] },
    ),
  ),
  usageCase(
    "the compatible endpoint, whose total holds thoughts without a name",
    { source: "ai.google.dev/gemini-api/docs/openai", read: readChatUsage },
    flash,
    ["100*0.3 + 80*2.5", "0.00023"],
    { prompt_tokens: 100, completion_tokens: 50, total_tokens: 180 },
  ),
  usageCase("billed units, not tokens", cohere, command, ["90*2.5 + 50*10", "0.000725"], {
    billed_units: { input_tokens: 90, output_tokens: 50 },
    tokens: { input_tokens: 140, output_tokens: 50 },
  }),
  usageCase(
    "a search unit of a rerank",
    { source: "docs.cohere.com/reference/rerank (meta)", read: readCohereUsage },
    command,
    ["1*2000", "0.002"],
    { billed_units: { input_tokens: 0, output_tokens: 0, search_units: 1 } },
  ),
  usageCase("tokens where there are no billed units", cohere, command, ["140*2.5 + 50*10", "0.00085"], {
    tokens: { input_tokens: 140, output_tokens: 50 },
  }),
  usageCase(
    "the compatible endpoint",
    { source: "docs.cohere.com/docs/compatibility-api", read: readChatUsage },
    { book: ["cohere", "command-a-03-2025"] },
    ["7*2.5 + 3*10", "0.0000475"],
    { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  ),
]
