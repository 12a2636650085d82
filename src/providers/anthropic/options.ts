import type { ServiceOptions } from "../dialect/options.ts"

/** Options of `anthropic`: those of every service, with the key in `ANTHROPIC_API_KEY`, and its own. @public */
export interface AnthropicOptions extends ServiceOptions {
  /** `off`, `adaptive`, or a budget of at least 1,024 tokens. Absent: as the model does by itself. Which a model takes differs. */
  readonly thinking?: "off" | "adaptive" | number
  /** `low` to `max`; a variant's parameter `effort` goes before it. Absent: the model's default. */
  readonly effort?: string
  /** Keeps the system prompt (else the first turn) in the provider's cache for five minutes or an hour; writes and reads are billed apart. */
  readonly promptCache?: "5m" | "1h"
  readonly serviceTier?: "auto" | "standard_only"
}
