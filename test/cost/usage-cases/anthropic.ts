import { mergeAnthropicUsage, readAnthropicUsage } from "../../../src/capture/usage/anthropic-usage.ts"
import { readBedrockUsage } from "../../../src/capture/usage/bedrock-usage.ts"
import { type UsageCase, usageCase } from "./usage-case.ts"

const haiku = {
  inputPerMillion: 1,
  cachedInputPerMillion: 0.1,
  cacheWrite5mPerMillion: 1.25,
  cacheWrite1hPerMillion: 2,
  outputPerMillion: 5,
  batchDiscount: 0.5,
  regions: { us: 1.1 },
  speeds: { fast: 6 },
  unitFees: { webSearch: 0.01, webFetch: 0 },
}
const messages = { source: "platform.claude.com/docs/en/api/messages (usage)", read: readAnthropicUsage }
const caching = { source: "platform.claude.com/docs/en/build-with-claude/prompt-caching", read: readAnthropicUsage }
const converse = { source: "docs.aws.amazon.com/bedrock, TokenUsage of Converse", read: readBedrockUsage }
const stream = (start: object, delta: object | null) =>
  readAnthropicUsage(mergeAnthropicUsage({ ...start }, delta && { ...delta }))

/** Messages and what speaks like them, streamed and not; Bedrock's Converse. */
export const anthropicCases: readonly UsageCase[] = [
  usageCase("input and output", messages, haiku, ["100*1 + 50*5", "0.00035"], { input_tokens: 100, output_tokens: 50 }),
  usageCase(
    "a cache write of five minutes: $0.0376, not $0.0301",
    caching,
    haiku,
    ["50*1 + 30000*1.25 + 10*5", "0.0376"],
    {
      input_tokens: 50,
      cache_creation_input_tokens: 30000,
      cache_creation: { ephemeral_5m_input_tokens: 30000, ephemeral_1h_input_tokens: 0 },
      cache_read_input_tokens: 0,
      output_tokens: 10,
    },
  ),
  usageCase("a cache write of one hour", caching, haiku, ["100*1 + 800*2 + 50*5", "0.00195"], {
    input_tokens: 100,
    cache_creation_input_tokens: 800,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 800 },
    output_tokens: 50,
  }),
  usageCase(
    "writes of both lifetimes and a read",
    caching,
    haiku,
    ["2048*1 + 1800*0.1 + 148*1.25 + 100*2 + 503*5", "0.005128"],
    {
      input_tokens: 2048,
      cache_read_input_tokens: 1800,
      cache_creation_input_tokens: 248,
      cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
      output_tokens: 503,
    },
  ),
  usageCase(
    "a cache write without a lifetime is of five minutes",
    { source: "anthropics/anthropic-sdk-typescript, Usage before cache_creation", read: readAnthropicUsage },
    haiku,
    ["100*1 + 800*1.25 + 50*5", "0.00135"],
    { input_tokens: 100, cache_creation_input_tokens: 800, output_tokens: 50 },
  ),
  usageCase(
    "a cache write where the price states none",
    caching,
    { inputPerMillion: 1, outputPerMillion: 5 },
    ["100*1 + 50*5", "0.00035", /800 cache write tokens \(1 h\)/],
    {
      input_tokens: 100,
      cache_creation_input_tokens: 800,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 800 },
      output_tokens: 50,
    },
  ),
  usageCase("a cache read", caching, haiku, ["100*1 + 900*0.1 + 50*5", "0.00044"], {
    input_tokens: 100,
    cache_read_input_tokens: 900,
    output_tokens: 50,
  }),
  usageCase(
    "thinking, which the output holds",
    { source: "platform.claude.com/docs/en/build-with-claude/extended-thinking", read: readAnthropicUsage },
    haiku,
    ["100*1 + 50*5", "0.00035"],
    { input_tokens: 100, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } },
  ),
  usageCase(
    "two searches and a free fetch",
    { source: "platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool", read: readAnthropicUsage },
    haiku,
    ["105*1 + 50*5 + 2*10000", "0.020355"],
    {
      input_tokens: 105,
      output_tokens: 50,
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
    },
  ),
  usageCase(
    "a search that nobody states a price of",
    { source: "platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool", read: readAnthropicUsage },
    { inputPerMillion: 1, outputPerMillion: 5 },
    ["100*1 + 50*5", "0.00035", /2 × webSearch/],
    { input_tokens: 100, output_tokens: 50, server_tool_use: { web_search_requests: 2 } },
  ),
  usageCase(
    "a batch, as the answer says",
    { source: "platform.claude.com/docs/en/build-with-claude/batch-processing", read: readAnthropicUsage },
    haiku,
    ["100*1*0.5 + 50*5*0.5", "0.000175"],
    { input_tokens: 100, output_tokens: 50, service_tier: "batch" },
  ),
  usageCase(
    "a batch with a cache write, whose factors are multiplied",
    { source: "platform.claude.com/docs/en/build-with-claude/batch-processing", read: readAnthropicUsage },
    haiku,
    ["100*1*0.5 + 1000*1.25*0.5 + 50*5*0.5", "0.0008"],
    {
      input_tokens: 100,
      cache_creation_input_tokens: 1000,
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 0 },
      output_tokens: 50,
      service_tier: "batch",
    },
  ),
  usageCase("the standard tier", messages, haiku, ["100*1 + 50*5", "0.00035"], {
    input_tokens: 100,
    output_tokens: 50,
    service_tier: "standard",
    inference_geo: "global",
  }),
  usageCase("a priority tier that the price does not state", messages, haiku, [null, null, /service tier "priority"/], {
    input_tokens: 100,
    output_tokens: 50,
    service_tier: "priority",
  }),
  usageCase(
    "inference kept in the United States",
    { source: "platform.claude.com/docs/en/build-with-claude/data-residency", read: readAnthropicUsage },
    haiku,
    ["100*1*1.1 + 50*5*1.1", "0.000385"],
    { input_tokens: 100, output_tokens: 50, inference_geo: "us" },
  ),
  usageCase(
    "a region that the price does not state",
    { source: "platform.claude.com/docs/en/build-with-claude/data-residency", read: readAnthropicUsage },
    haiku,
    [null, null, /region "eu"/],
    { input_tokens: 100, output_tokens: 50, inference_geo: "eu" },
  ),
  usageCase(
    "fast mode",
    { source: "platform.claude.com/docs/en/build-with-claude/fast-mode", read: readAnthropicUsage },
    haiku,
    ["100*1*6 + 50*5*6", "0.0021"],
    { input_tokens: 100, output_tokens: 50, speed: "fast" },
  ),
  usageCase(
    "a stream, whose end leaves out lifetimes and region",
    {
      source: "platform.claude.com/docs/en/build-with-claude/streaming",
      read: () =>
        stream(
          {
            input_tokens: 20,
            cache_creation_input_tokens: 1000,
            cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1000 },
            cache_read_input_tokens: 500,
            output_tokens: 1,
            service_tier: "standard",
            inference_geo: "us",
          },
          { input_tokens: 20, cache_creation_input_tokens: 1000, cache_read_input_tokens: 500, output_tokens: 200 },
        ),
    },
    haiku,
    ["20*1*1.1 + 1000*2*1.1 + 500*0.1*1.1 + 200*5*1.1", "0.003377"],
    {},
  ),
  usageCase(
    "a stream that broke off",
    {
      source: "platform.claude.com/docs/en/build-with-claude/streaming",
      read: () => stream({ input_tokens: 20, output_tokens: 1 }, null),
    },
    haiku,
    [null, null, /no completion tokens/],
    {},
  ),
  usageCase(
    "a prompt of 250,000 tokens of which 200,000 were cached, above 200,000",
    { source: "platform.claude.com/docs/en/about-claude/pricing (long context)", read: readAnthropicUsage },
    { book: ["anthropic", "claude-sonnet-4-5"] },
    ["50000*6 + 200000*0.6 + 1000*22.5", "0.4425"],
    { input_tokens: 50000, cache_read_input_tokens: 200000, output_tokens: 1000 },
  ),
  usageCase(
    "the price book's writes: Opus 5.5",
    { source: "platform.claude.com/docs/en/about-claude/pricing", read: readAnthropicUsage },
    { book: ["anthropic", "claude-opus-5-5"] },
    ["1000*4 + 1000*5 + 2000*8 + 4000*0.2 + 500*20", "0.0358"],
    {
      input_tokens: 1000,
      cache_creation_input_tokens: 3000,
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 2000 },
      cache_read_input_tokens: 4000,
      output_tokens: 500,
    },
  ),
  usageCase("Bedrock's Converse", converse, haiku, ["100*1 + 50*5", "0.00035"], {
    usage: { inputTokens: 100, outputTokens: 50, totalTokens: 150 },
  }),
  usageCase(
    "Bedrock's cache, by lifetime",
    converse,
    haiku,
    ["100*1 + 1000*0.1 + 800*2 + 1000*1.25 + 50*5", "0.0033"],
    {
      usage: {
        inputTokens: 100,
        outputTokens: 50,
        totalTokens: 2950,
        cacheReadInputTokens: 1000,
        cacheWriteInputTokens: 1800,
        cacheDetails: [
          { ttl: "1h", inputTokens: 800 },
          { ttl: "5m", inputTokens: 1000 },
        ],
      },
    },
  ),
  usageCase(
    "Bedrock's flex tier",
    converse,
    { ...haiku, serviceTiers: { flex: 0.5 } },
    ["100*1*0.5 + 50*5*0.5", "0.000175"],
    { usage: { inputTokens: 100, outputTokens: 50 }, serviceTier: { type: "flex" } },
  ),
]
