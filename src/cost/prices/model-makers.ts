import { priceNotes, priceSource } from "../../words/reasons/prices.ts"
import type { PriceTable, PriceTerms } from "./price-table.ts"

/** OpenAI: a call whose prompt is longer pays these factors as a whole. */
const openaiLong = { above: 272_000, input: 2, output: 1.5 }
/** OpenAI's search in the Responses API: $10 per 1,000 calls. */
const openaiSearch = { webSearch: 0.01 }
const openaiFlex: PriceTerms = { serviceTiers: { flex: 0.5 }, unitFees: openaiSearch }
/** `fast` is what newer answers call priority. */
const openaiFull: PriceTerms = { serviceTiers: { flex: 0.5, priority: 2, fast: 2 }, unitFees: openaiSearch }
/** Priority at a factor of its own, as openai.com/api-priority-processing lists it (2026); flex where the price list has it. */
const openaiPriority = (priority: number): PriceTerms => ({ serviceTiers: { priority } })
const openaiFlexPriority = (priority: number): PriceTerms => ({
  serviceTiers: { flex: 0.5, priority },
  unitFees: openaiSearch,
})
/** Since gpt-5.6, what is written into the cache costs more than what is not. */
const openaiWrites: PriceTerms = { ...openaiFlex, cacheWrite: 1.25 }
const openaiFullWrites: PriceTerms = { ...openaiFull, cacheWrite: 1.25 }

/** Anthropic: cache writes by lifetime, inference kept in the United States, $10 per 1,000 searches, free fetches. */
const anthropicTerms: PriceTerms = {
  cacheWrite5m: 1.25,
  cacheWrite1h: 2,
  regions: { us: 1.1 },
  unitFees: { webSearch: 0.01, webFetch: 0 },
}

/** Gemini: one rate for text, images and films; flex at half the price. */
const geminiTerms: PriceTerms = { imagesAsText: true, serviceTiers: { flex: 0.5 } }
const geminiLong = { above: 200_000, input: 2, output: 1.5 }

/** xAI counts a prompt of 200,000 tokens as long. */
const xaiLong: PriceTerms = { long: { above: 199_999, input: 2, output: 2 } }

/**
 * Providers that serve their own models. A retired model has no row, so that its price is not used in a plan; the one exception
 * is a snapshot of gpt-4o that would else be found at gpt-4o's price, which it never had.
 */
export const modelMakerPrices: readonly PriceTable[] = [
  {
    provider: "openai",
    source: "developers.openai.com/api/docs/models",
    date: "2026-11-18",
    rows: [
      ["gpt-6.2-astra", 8, 0.4, 40, 0.5, 1050000, openaiFullWrites],
      ["gpt-6.2-sol", 2, 0.1, 10, 0.5, 1050000, openaiFullWrites],
    ],
  },
  {
    provider: "openai",
    source: priceSource("developers.openai.com/api/docs/pricing", ["models.dev", "OpenRouter"]),
    date: "2026-11-10",
    rows: [
      ["gpt-6.1-sol", 2, 0.1, 10, 0.5, 1050000, { ...openaiFullWrites, long: openaiLong }],
      ["gpt-6.1-terra", 1, 0.05, 5, 0.5, 1050000, { ...openaiWrites, long: openaiLong }],
      ["gpt-6-astra", 10, 1, 50, 0.5, 1050000, { ...openaiFullWrites, long: openaiLong }],
      ["gpt-6-sol", 2, 0.2, 10, 0.5, 1050000, { ...openaiFullWrites, long: openaiLong }],
      ["gpt-6-luna", 0.1, 0.01, 0.5, 0.5, 1050000, { ...openaiWrites, long: openaiLong }],
      ["gpt-5.6-terra", 2, 0.2, 12, 0.5, 1050000, { ...openaiWrites, long: openaiLong }],
      ["gpt-5.6-luna", 0.2, 0.02, 1.2, 0.5, 1050000, { ...openaiWrites, long: openaiLong }],
      [
        "gpt-5.5",
        5,
        0.5,
        30,
        0.5,
        1050000,
        { ...openaiFull, serviceTiers: { flex: 0.5, priority: 2.5, fast: 2.5 }, long: openaiLong },
      ],
      ["gpt-5.4", 2.5, 0.25, 15, 0.5, 1050000, { ...openaiFull, long: openaiLong }],
      ["gpt-5.4-mini", 0.75, 0.075, 4.5, 0.5, 400000, openaiFlexPriority(2)],
      ["gpt-5.4-nano", 0.2, 0.02, 1.25, 0.5, 400000, openaiFlex],
      ["gpt-5.2", 1.75, 0.175, 14, 0.5, 400000, openaiFull],
      ["gpt-5.1", 1.25, 0.125, 10, 0.5, 400000, openaiFull],
      ["gpt-5", 1.25, 0.125, 10, 0.5, 400000, openaiFull],
      ["gpt-5-mini", 0.25, 0.025, 2, 0.5, 400000, openaiFlexPriority(1.8)],
      ["gpt-5-nano", 0.05, 0.005, 0.4, 0.5, 400000, openaiFlex],
      ["gpt-4.1", 2, 0.5, 8, 0.5, 1047576, openaiPriority(1.75)],
      ["gpt-4.1-mini", 0.4, 0.1, 1.6, 0.5, 1047576, openaiPriority(1.75)],
      ["gpt-4o", 2.5, 1.25, 10, 0.5, 128000, openaiPriority(1.7)],
      [
        "gpt-4o-mini",
        0.15,
        0.075,
        0.6,
        0.5,
        128000,
        {
          serviceTiers: { priority: { inputPerMillion: 0.25, cachedInputPerMillion: 0.125, outputPerMillion: 1 } },
        },
      ],
      ["o3", 2, 0.5, 8, 0.5, 200000, { serviceTiers: { flex: 0.5, priority: 1.75 } }],
    ],
  },
  {
    provider: "openai",
    source: priceSource("developers.openai.com/api/docs/pricing", ["models.dev", "OpenRouter"], priceNotes.endless),
    date: "2026-11-10",
    rows: [
      ["gpt-5.6", 4, 0.4, 20, 0.5, 1050000, { ...openaiFullWrites, long: openaiLong }],
      ["gpt-5.6-sol", 4, 0.4, 20, 0.5, 1050000, { ...openaiFullWrites, long: openaiLong }],
    ],
  },
  {
    provider: "openai",
    source: priceSource(
      "developers.openai.com/api/docs/pricing",
      ["models.dev", "OpenRouter"],
      priceNotes.retired("2026-10-23"),
    ),
    date: "2026-11-10",
    rows: [["gpt-4o-2024-05-13", 5, null, 15, 0.5, 128000, openaiPriority(1.75)]],
  },
  {
    provider: "anthropic",
    source: priceSource("platform.claude.com/docs/en/about-claude/pricing", ["models.dev", "OpenRouter"]),
    date: "2026-11-10",
    terms: anthropicTerms,
    rows: [
      ["claude-fable-5-2", 8, 0.2, 40, 0.5, 1000000],
      ["claude-fable-5-1", 10, 0.25, 50, 0.5, 1000000],
      ["claude-fable-5", 10, 1, 50, 0.5, 1000000],
      ["claude-opus-5-5", 4, 0.2, 20, 0.5, 1000000],
      ["claude-opus-5", 5, 0.5, 25, 0.5, 1000000],
      ["claude-opus-4-8", 5, 0.5, 25, 0.5, 1000000, { speeds: { fast: 2 } }],
      ["claude-opus-4-7", 5, 0.5, 25, 0.5, 1000000],
      ["claude-opus-4-6", 5, 0.5, 25, 0.5, 1000000, { speeds: { fast: 6 } }],
      ["claude-opus-4-5", 5, 0.5, 25, 0.5, 200000],
      ["claude-sonnet-5-5", 2, 0.1, 10, 0.5, 1000000],
      ["claude-sonnet-5", 2, 0.2, 10, 0.5, 1000000],
      ["claude-sonnet-4-6", 3, 0.3, 15, 0.5, 1000000],
      ["claude-sonnet-4-5", 3, 0.3, 15, 0.5, 200000, { long: { above: 200_000, input: 2, output: 1.5 } }],
      [
        "claude-haiku-5-5",
        0.1,
        0.01,
        0.5,
        0.5,
        1000000,
        { long: { above: 100_000, input: 5, output: 5, unstated: ["cacheWrite1hPerMillion"] } },
      ],
      ["claude-haiku-4-5", 1, 0.1, 5, 0.5, 200000],
    ],
  },
  {
    provider: "anthropic",
    source: priceNotes.limitedAvailability("platform.claude.com/docs/en/about-claude/pricing"),
    date: "2026-09-01",
    terms: anthropicTerms,
    rows: [
      ["claude-mythos-5-1", 10, 0.25, 50, 0.5, 1000000],
      ["claude-mythos-5", 10, 1, 50, 0.5, 1000000],
    ],
  },
  {
    provider: "gemini",
    source: priceSource("ai.google.dev/gemini-api/docs/pricing", ["models.dev", "OpenRouter"]),
    date: "2026-11-10",
    terms: geminiTerms,
    rows: [
      ["gemini-3.5-flash", 1.5, 0.15, 9, 0.5, 1048576],
      ["gemini-3.5-flash-lite", 0.3, 0.03, 2.5, 0.5, 1048576],
      ["gemini-3.1-pro-preview", 2, 0.2, 12, 0.5, 1048576, { long: geminiLong, audio: [2, 0.2] }],
      ["gemini-3.1-flash-lite", 0.25, 0.025, 1.5, 0.5, 1048576, { audio: [0.5, 0.05] }],
      ["gemini-3-flash-preview", 0.5, 0.05, 3, 0.5, 1048576, { audio: [1, 0.1] }],
      ["gemini-2.5-pro", 1.25, 0.125, 10, 0.5, 1048576, { long: geminiLong, audio: [1.25, 0.125] }],
      ["gemini-2.5-flash", 0.3, 0.03, 2.5, 0.5, 1048576, { audio: [1, 0.1] }],
      ["gemini-2.5-flash-lite", 0.1, 0.01, 0.4, 0.5, 1048576, { audio: [0.3, 0.03] }],
    ],
  },
  {
    provider: "gemini",
    source: priceSource(
      "ai.google.dev/gemini-api/docs/pricing",
      ["models.dev", "OpenRouter"],
      priceNotes.launch("2026-12-01"),
    ),
    date: "2026-11-10",
    terms: geminiTerms,
    rows: [["gemini-4-argon", 2, 0.1, 10, 0.5, 1048576]],
  },
  {
    provider: "gemini",
    source: priceSource(
      "ai.google.dev/gemini-api/docs/pricing",
      ["models.dev", "Vercel"],
      priceNotes.promotion("2026-12-31"),
    ),
    date: "2026-11-10",
    terms: geminiTerms,
    rows: [
      ["gemini-3.8-flash", 0.75, 0.075, 3.75, 0.5, 1048576],
      ["gemini-3.7-flash", 0.75, 0.075, 3.75, 0.5, 1048576],
      ["gemini-3.6-flash", 0.75, 0.075, 3.75, 0.5, 1048576],
    ],
  },
  {
    provider: "mistral",
    source: priceSource("mistral.ai/pricing", ["models.dev", "braintrust-proxy"]),
    date: "2026-11-10",
    rows: [
      ["mistral-large-2512", 0.5, 0.05, 1.5, null, 262144],
      ["mistral-medium-3.5", 1.5, 0.15, 7.5, null, 262144],
      ["mistral-medium-2604", 1.5, 0.15, 7.5, null, 262144],
      ["mistral-medium-latest", 1.5, 0.15, 7.5, null, 262144],
      ["mistral-small-2603", 0.15, 0.015, 0.6, null, 262144],
      ["mistral-small-latest", 0.15, 0.015, 0.6, null, 262144],
      ["magistral-medium-latest", 2, 0.2, 5, null, null],
      ["ministral-14b-2512", 0.2, 0.02, 0.2, null, 262144],
      ["ministral-8b-2512", 0.15, 0.015, 0.15, null, 262144],
      ["ministral-8b-latest", 0.15, 0.015, 0.15, null, 262144],
      ["ministral-3b-2512", 0.1, 0.01, 0.1, null, 131072],
      ["ministral-3b-latest", 0.1, 0.01, 0.1, null, 131072],
      ["codestral-2508", 0.3, 0.03, 0.9, null, 256000],
      ["codestral-latest", 0.3, 0.03, 0.9, null, 256000],
      ["voxtral-small-2507", 0.1, 0.01, 0.4, null, 32768],
      ["voxtral-small-latest", 0.1, 0.01, 0.4, null, 32768],
      ["zai-glm-5-2", 1.4, 0.14, 4.4, null, null],
    ],
  },
  {
    provider: "cohere",
    source: priceSource("cohere.com/pricing", ["models.dev", "genai-prices", "OpenRouter"]),
    date: "2026-11-10",
    rows: [
      ["command-a-03-2025", 2.5, null, 10, null, 256000],
      ["command-r-plus-08-2024", 2.5, null, 10, null, 128000],
      ["command-r-08-2024", 0.15, null, 0.6, null, 128000],
      ["command-r7b-12-2024", 0.0375, null, 0.15, null, 128000],
    ],
  },
  {
    provider: "deepseek",
    source: priceSource("api-docs.deepseek.com/quick_start/pricing", ["models.dev"], priceNotes.peak),
    date: "2026-11-10",
    rows: [
      ["deepseek-flash", 0.3, 0.006, 1.2, null, 1000000],
      ["deepseek-v4-flash", 0.3, 0.006, 1.2, null, 1000000],
      ["deepseek-v4-pro", 1.32, 0.044, 3.96, null, 1000000],
    ],
  },
  {
    provider: "xai",
    source: priceSource("docs.x.ai/docs/models", ["models.dev", "OpenRouter"]),
    date: "2026-11-10",
    rows: [
      ["grok-4.7", 2, 0.5, 6, null, 500000],
      ["grok-4.6", 2, 0.5, 6, null, 500000],
      ["grok-4.5", 2, 0.3, 6, null, 500000],
      ["grok-4.3", 1.25, 0.2, 2.5, null, 1000000, xaiLong],
    ],
  },
  {
    provider: "xai",
    source: priceSource("docs.x.ai/docs/models", ["models.dev", "LiteLLM", "braintrust-proxy"]),
    date: "2026-08-21",
    rows: [
      ["grok-4.20-0309-non-reasoning", 1.25, 0.2, 2.5, null, 1000000, xaiLong],
      ["grok-4.20-0309-reasoning", 1.25, 0.2, 2.5, null, 1000000, xaiLong],
      ["grok-4.20-multi-agent-0309", 1.25, 0.2, 2.5, null, 1000000, xaiLong],
      ["grok-build-0.1", 1, 0.2, 2, null, 256000],
    ],
  },
  {
    provider: "moonshot",
    source: priceSource("platform.moonshot.ai/docs/pricing", ["models.dev", "Vercel"]),
    date: "2026-11-10",
    rows: [
      ["kimi-k3.1-pro", 2, 0.2, 10, null, 1048576],
      ["kimi-k3.1-pro-highspeed", 4, 0.2, 20, null, 1048576],
      ["kimi-k3", 3, 0.3, 15, null, 1048576],
      ["kimi-k2.7-code", 0.95, 0.19, 4, null, 262144],
      ["kimi-k2.7-code-highspeed", 1.9, 0.38, 8, null, 262144],
      ["kimi-k2.6", 0.95, 0.16, 4, null, 262144],
    ],
  },
  {
    provider: "zhipu",
    source: priceSource("docs.z.ai/guides/overview/pricing", ["models.dev", "genai-prices"]),
    date: "2026-11-10",
    rows: [
      ["glm-5.3", 1.4, 0.26, 4.4, null, 1000000],
      ["glm-5.3-flash", 0.15, 0.03, 0.5, null, 1000000],
      ["glm-5.2", 1.4, 0.26, 4.4, null, 1000000],
      ["glm-5.1", 1.4, 0.26, 4.4, null, null],
      ["glm-5-turbo", 1.2, 0.24, 4, null, 200000],
      ["glm-4.7", 0.6, 0.11, 2.2, null, 204800],
    ],
  },
  {
    provider: "minimax",
    source: priceSource("platform.minimax.io/docs/pricing", ["models.dev", "Vercel"]),
    date: "2026-11-10",
    rows: [
      ["MiniMax-M3.1-Flash", 0.15, 0.015, 0.6, null, null],
      ["MiniMax-M3", 0.3, 0.06, 1.2, null, null],
      ["MiniMax-M2.7", 0.3, 0.06, 1.2, null, 204800],
      ["MiniMax-M2.7-highspeed", 0.6, 0.06, 2.4, null, 204800],
    ],
  },
]
