import { readFileSync } from "node:fs"
import type { TokenPrice } from "evalkit"
import { mergeAnthropicUsage, readAnthropicUsage } from "../../src/capture/usage/anthropic-usage.ts"
import { readBedrockUsage } from "../../src/capture/usage/bedrock-usage.ts"
import { readChatUsage } from "../../src/capture/usage/chat-usage.ts"
import { readCohereUsage } from "../../src/capture/usage/cohere-usage.ts"
import { readGeminiUsage } from "../../src/capture/usage/gemini-usage.ts"
import { readLlamaTimings, readOllamaUsage } from "../../src/capture/usage/local-usage.ts"
import { readResponsesUsage } from "../../src/capture/usage/responses-usage.ts"
import type { UsageReading } from "../../src/capture/usage/usage-reading.ts"

/** What a service reported, what it charges, and what that comes to. */
export interface UsageCase {
  /** Services that are much alike. */
  readonly group: string
  readonly name: string
  /** Where the shape of the payload is published. */
  readonly source: string
  readonly read: keyof typeof readers
  /** A JSON object as the service sends it; of a stream, those of its start and its end. */
  readonly payload: object
  /** Dollars per million, or a model of the price book. */
  readonly price: Partial<TokenPrice> | { readonly book: readonly [provider: string, model: string] }
  readonly batch?: boolean
  /** The sum by hand, in millionths of a dollar: `1000*3 + 50*15`. Of an unknown cost, the lower bound; null where there is none. */
  readonly millionths: string | null
  /** The same in dollars, by hand. */
  readonly usd: string | null
  /** Where the cost is unknown: what its reason names. */
  readonly unknown?: string
}

const stream = ({ start, end }: { readonly start: object; readonly end: object | null }) =>
  readAnthropicUsage(mergeAnthropicUsage({ ...start }, end && { ...end }))

const readers = {
  ...{ readAnthropicUsage, readBedrockUsage, readChatUsage, readCohereUsage, readGeminiUsage, readLlamaTimings },
  ...{ readOllamaUsage, readResponsesUsage, stream },
}

/** How evalkit reads what the service of a case reported. */
export const readingOf = ({ read, payload }: UsageCase): UsageReading => readers[read](payload as never)

/** Every case, of all services. */
export const usageCases: readonly UsageCase[] = readFileSync(
  new URL("../golden/cost/usage_cases.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as UsageCase)
