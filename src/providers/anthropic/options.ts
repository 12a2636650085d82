import type { Price } from "../../core/cost.ts"
import type { JsonObject } from "../../core/json.ts"
import { priceOptions } from "../../core/known-options.ts"
import type { OptionKinds } from "../../core/options.ts"

/** Options of `anthropic`. @public */
export interface AnthropicOptions {
  readonly model: string
  /** Without the version. Default `https://api.anthropic.com`. */
  readonly baseUrl?: string
  /** `baseUrl`, as the SDK spells it. */
  readonly baseURL?: string
  /** Environment variable that holds the key; `null` for a gateway without keys. Default `ANTHROPIC_API_KEY`. */
  readonly apiKeyVariable?: string | null
  /** `off`, `adaptive`, or a budget of at least 1,024 tokens. Absent: as the model does by itself. Which a model takes differs. */
  readonly thinking?: "off" | "adaptive" | number
  /** `low` to `max`; a variant's parameter `effort` goes before it. Absent: the model's default. */
  readonly effort?: string
  /** Keeps the system prompt (else the first turn) in the provider's cache for five minutes or an hour; writes and reads are billed apart. */
  readonly promptCache?: "5m" | "1h"
  readonly serviceTier?: "auto" | "standard_only"
  readonly headers?: Readonly<Record<string, string>>
  /** For reports. Default: `anthropic` and the model. */
  readonly label?: string
  readonly price?: Price
  /** Merged into the body of each request. */
  readonly extraBody?: JsonObject
  /** Bytes of one answer that are kept before it counts as malformed. Default 64 MiB. */
  readonly maxAnswerBytes?: number
}

/** Of {@link AnthropicOptions}, for {@link checkOptions}. */
export const anthropicOptions: OptionKinds<AnthropicOptions> = {
  model: "text",
  baseUrl: "text",
  baseURL: "text",
  apiKeyVariable: "any",
  thinking: "any",
  effort: "text",
  promptCache: "text",
  serviceTier: "text",
  headers: "object",
  label: "text",
  price: priceOptions,
  extraBody: "object",
  maxAnswerBytes: "number",
}
