import { readChatUsage } from "../../../src/capture/usage/chat-usage.ts"
import { readResponsesUsage } from "../../../src/capture/usage/responses-usage.ts"
import { type UsageCase, usageCase } from "./usage-case.ts"

const gpt = {
  inputPerMillion: 2.5,
  cachedInputPerMillion: 0.25,
  cacheWritePerMillion: 3.125,
  outputPerMillion: 15,
  batchDiscount: 0.5,
  serviceTiers: { flex: 0.5, priority: 2 },
}
const audio = { ...gpt, audioInputPerMillion: 32, cachedAudioInputPerMillion: 0.4, audioOutputPerMillion: 64 }
const chat = { source: "openai/openai-openapi, CompletionUsage", read: readChatUsage }
const responses = { source: "openai/openai-openapi, ResponseUsage", read: readResponsesUsage }

/** Chat completions and responses of OpenAI and Azure, images and the realtime API. */
export const openaiCases: readonly UsageCase[] = [
  usageCase("prompt and completion", chat, gpt, ["100*2.5 + 50*15", "0.001"], {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
  }),
  usageCase("a cached part of the prompt", chat, gpt, ["20*2.5 + 80*0.25 + 50*15", "0.00082"], {
    prompt_tokens: 100,
    completion_tokens: 50,
    prompt_tokens_details: { cached_tokens: 80 },
  }),
  usageCase(
    "cached tokens where the price leaves their rate out",
    chat,
    { inputPerMillion: 2.5, outputPerMillion: 15 },
    ["20*2.5 + 50*15", "0.0008", /80 cached prompt tokens/],
    { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 80 } },
  ),
  usageCase(
    "cached tokens that cost what others cost",
    chat,
    { inputPerMillion: 2.5, cachedInputPerMillion: null, outputPerMillion: 15 },
    ["100*2.5 + 50*15", "0.001"],
    { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 80 } },
  ),
  usageCase(
    "no cached tokens where the price leaves their rate out",
    chat,
    { inputPerMillion: 2.5, outputPerMillion: 15 },
    ["100*2.5 + 50*15", "0.001"],
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    },
  ),
  usageCase(
    "a cache read and a cache write",
    {
      source: "openai/openai-openapi, organization usage (1000 = 400 cached + 100 written + 500)",
      read: readChatUsage,
    },
    gpt,
    ["500*2.5 + 400*0.25 + 100*3.125 + 50*15", "0.0024125"],
    {
      prompt_tokens: 1000,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 400, cache_write_tokens: 100 },
    },
  ),
  usageCase("reasoning, which the completion holds", chat, gpt, ["100*2.5 + 50*15", "0.001"], {
    prompt_tokens: 100,
    completion_tokens: 50,
    completion_tokens_details: { reasoning_tokens: 30 },
  }),
  usageCase(
    "reasoning with a rate of its own",
    chat,
    { ...gpt, reasoningPerMillion: 40 },
    ["100*2.5 + 20*15 + 30*40", "0.00175"],
    { prompt_tokens: 100, completion_tokens: 50, completion_tokens_details: { reasoning_tokens: 30 } },
  ),
  usageCase(
    "rejected predictions, which the completion holds",
    { source: "developers.openai.com/api/docs/guides/predicted-outputs", read: readChatUsage },
    gpt,
    ["100*2.5 + 50*15", "0.001"],
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      completion_tokens_details: { accepted_prediction_tokens: 10, rejected_prediction_tokens: 20 },
    },
  ),
  usageCase("audio in and out", chat, audio, ["40*2.5 + 60*32 + 15*15 + 35*64", "0.004485"], {
    prompt_tokens: 100,
    completion_tokens: 50,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 60 },
    completion_tokens_details: { audio_tokens: 35 },
  }),
  usageCase(
    "audio out of which nobody states a price",
    chat,
    gpt,
    ["100*2.5 + 15*15", "0.000475", /35 audio tokens of the answer/],
    { prompt_tokens: 100, completion_tokens: 50, completion_tokens_details: { audio_tokens: 35 } },
  ),
  usageCase(
    "300,000 tokens of gpt-5.4: $1.5225, not $0.765",
    { source: "developers.openai.com/api/docs/pricing (more than 272k input tokens)", read: readChatUsage },
    { book: ["openai", "gpt-5.4"] },
    ["300000*5 + 1000*22.5", "1.5225"],
    { prompt_tokens: 300000, completion_tokens: 1000 },
  ),
  usageCase(
    "272,000 tokens of gpt-5.4, which is not more",
    { source: "developers.openai.com/api/docs/pricing (more than 272k input tokens)", read: readChatUsage },
    { book: ["openai", "gpt-5.4"] },
    ["272000*2.5 + 1000*15", "0.695"],
    { prompt_tokens: 272000, completion_tokens: 1000 },
  ),
  usageCase(
    "a long prompt of which a part was cached and a part written: gpt-5.6-luna",
    { source: "developers.openai.com/api/docs/models/gpt-5.6-luna", read: readChatUsage },
    { book: ["openai", "gpt-5.6-luna"] },
    ["50000*0.4 + 200000*0.04 + 50000*0.5 + 1000*1.8", "0.0548"],
    {
      prompt_tokens: 300000,
      completion_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 200000, cache_write_tokens: 50000 },
    },
  ),
  usageCase(
    "no cache write of a model from before they were billed",
    { source: "developers.openai.com/api/docs/guides/prompt-caching", read: readChatUsage },
    { book: ["openai", "gpt-4.1"] },
    ["600*2 + 400*0.5 + 10*8", "0.00148"],
    {
      prompt_tokens: 1000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 400, cache_write_tokens: 0 },
    },
  ),
  usageCase(
    "the batch endpoint",
    { source: "developers.openai.com/api/docs/guides/batch", read: readChatUsage, batch: true },
    gpt,
    ["600*2.5*0.5 + 400*0.25*0.5 + 200*15*0.5", "0.0023"],
    { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 400 } },
  ),
  usageCase(
    "the batch endpoint where no discount is stated",
    { source: "developers.openai.com/api/docs/guides/batch", read: readChatUsage, batch: true },
    { inputPerMillion: 2.5, outputPerMillion: 15 },
    [null, null, /batches/],
    { prompt_tokens: 1000, completion_tokens: 200 },
  ),
  usageCase(
    "a batch with rows of its own",
    { source: "developers.openai.com/api/docs/pricing (batch)", read: readChatUsage, batch: true },
    {
      ...gpt,
      serviceTiers: {
        batch: {
          inputPerMillion: 1,
          outputPerMillion: 7,
          longPrompts: [{ aboveTokens: 900, inputPerMillion: 2, outputPerMillion: 9 }],
        },
      },
    },
    ["1000*2 + 200*9", "0.0038"],
    { prompt_tokens: 1000, completion_tokens: 200 },
  ),
  usageCase(
    "a fee for each request and a least charge",
    { source: "docs.perplexity.ai/getting-started/pricing (request fee)", read: readChatUsage },
    { ...gpt, perRequestUsd: 0.005 },
    ["100*2.5 + 50*15 + 5000", "0.006"],
    { prompt_tokens: 100, completion_tokens: 50 },
  ),
  usageCase("less than the least charge", chat, { ...gpt, minimumUsd: 0.002 }, ["100*2.5 + 50*15 + 1000", "0.002"], {
    prompt_tokens: 100,
    completion_tokens: 50,
  }),
  usageCase(
    "Azure, with the details that it sends",
    { source: "learn.microsoft.com/azure/ai-foundry/openai/reference", read: readChatUsage },
    gpt,
    ["158*2.5 + 1408*0.25 + 1518*15", "0.023517"],
    {
      prompt_tokens: 1566,
      completion_tokens: 1518,
      total_tokens: 3084,
      prompt_tokens_details: { audio_tokens: 0, cached_tokens: 1408 },
      completion_tokens_details: {
        accepted_prediction_tokens: 0,
        audio_tokens: 0,
        reasoning_tokens: 576,
        rejected_prediction_tokens: 0,
      },
    },
  ),
  usageCase("responses: a cached part of the input", responses, gpt, ["20*2.5 + 80*0.25 + 50*15", "0.00082"], {
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 150,
    },
    service_tier: "default",
  }),
  usageCase("responses: a cache write", responses, gpt, ["500*2.5 + 400*0.25 + 100*3.125 + 50*15", "0.0024125"], {
    usage: {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 400, cache_write_tokens: 100 },
      output_tokens: 50,
    },
  }),
  usageCase(
    "responses: the flex tier, as the reply says",
    { source: "developers.openai.com/api/docs/guides/flex-processing", read: readResponsesUsage },
    gpt,
    ["100*2.5*0.5 + 50*15*0.5", "0.0005"],
    { usage: { input_tokens: 100, output_tokens: 50 }, service_tier: "flex" },
  ),
  usageCase(
    "responses: the priority tier of gpt-5.5",
    { source: "developers.openai.com/api/docs/pricing (priority)", read: readResponsesUsage },
    { book: ["openai", "gpt-5.5"] },
    ["1000*5*2.5 + 100*30*2.5", "0.02"],
    { usage: { input_tokens: 1000, output_tokens: 100 }, service_tier: "priority" },
  ),
  usageCase("responses: a tier without a stated price", responses, gpt, [null, null, /service tier "scale"/], {
    usage: { input_tokens: 100, output_tokens: 50 },
    service_tier: "scale",
  }),
  usageCase(
    "responses: two searches and a page that was opened",
    { source: "developers.openai.com/api/docs/guides/tools-web-search", read: readResponsesUsage },
    { book: ["openai", "gpt-5"] },
    ["1000*1.25 + 100*10 + 2*10000", "0.02225"],
    {
      usage: { input_tokens: 1000, output_tokens: 100 },
      output: [
        { type: "web_search_call", action: { type: "search", query: "a" } },
        { type: "web_search_call", action: { type: "open_page", url: "https://a.example" } },
        { type: "web_search_call", action: { type: "search", query: "b" } },
        { type: "message" },
      ],
    },
  ),
  usageCase(
    "realtime: text, audio and images, cached and not",
    { source: "developers.openai.com/api/reference (realtime response.done)", read: readResponsesUsage },
    { ...audio, imageInputPerMillion: 5 },
    ["200*2.5 + 100*0.25 + 200*32 + 400*0.4 + 100*5 + 53*15 + 200*64", "0.02118"],
    {
      usage: {
        total_tokens: 1253,
        input_tokens: 1000,
        output_tokens: 253,
        input_token_details: {
          text_tokens: 300,
          audio_tokens: 600,
          image_tokens: 100,
          cached_tokens: 500,
          cached_tokens_details: { text_tokens: 100, audio_tokens: 400, image_tokens: 0 },
        },
        output_token_details: { text_tokens: 53, audio_tokens: 200 },
      },
    },
  ),
  usageCase(
    "images: text and image in, image out",
    { source: "developers.openai.com/api/reference (ImagesResponse)", read: readResponsesUsage },
    { inputPerMillion: 5, imageInputPerMillion: 8, outputPerMillion: 10, imageOutputPerMillion: 32 },
    ["10*5 + 40*8 + 1056*32", "0.034162"],
    {
      usage: {
        input_tokens: 50,
        input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        output_tokens: 1056,
        output_tokens_details: { text_tokens: 0, image_tokens: 1056 },
      },
    },
  ),
]
