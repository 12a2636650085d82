import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { ownModule } from "../platform/own-module.ts"
import { anthropicBatches } from "./anthropic/batches.ts"
import type { AnthropicOptions } from "./anthropic/options.ts"
import { readAnthropic } from "./anthropic/read.ts"
import { writeAnthropic } from "./anthropic/write.ts"
import { defaultImages } from "./dialect/media.ts"
import { dialectProvider } from "./dialect/provider.ts"

/**
 * Claude models through Anthropic's own Messages API, always streamed: thinking and its tokens, the prompt cache by lifetime, tools,
 * JSON schemas, refusals and reasons to stop as the service states them. A variant without `maxTokens` asks for 4,096 at most, for
 * the interface has no default. The API has no seed and no log-probabilities; figures that need them are unknown.
 *
 * @throws UsageError for a base URL or a thinking budget that is none, and at `open` when the key's variable is not set
 * @example anthropic({ model: "claude-sonnet-4-5", thinking: 2048, promptCache: "5m" })
 * @public
 */
export function anthropic(options: AnthropicOptions): Provider {
  checkOptions("anthropic", options)
  checkChoices(options)
  const { thinking = null, effort = null, promptCache = null, serviceTier = null } = options
  return dialectProvider(options, {
    kind: "anthropic",
    interface: "messages",
    baseUrl: "https://api.anthropic.com",
    path: "/v1/messages",
    apiKeyVariable: "ANTHROPIC_API_KEY",
    headers: (key) => ({ ...(key !== null && { "x-api-key": key }), "anthropic-version": "2023-06-01" }),
    choices: { thinking, effort, promptCache, serviceTier },
    ...(promptCache !== null && { asksFor: { promptCache } }),
    write: (request) => writeAnthropic(request, options),
    read: readAnthropic,
    reader: { module: ownModule(import.meta.url, "./anthropic/read"), name: "readAnthropic" },
    // Required, and its value is the user's: a refusal of it is not to be worked around.
    kept: ["max_tokens"],
    unsupported: ["logprobs", "seed", "json_mode"],
    enforcesJson: true,
    // platform.claude.com/docs/en/build-with-claude/vision (2026): the smaller of the limits by model
    media: {
      images: { types: defaultImages, urls: true, most: 100, maxBytes: 5 * 2 ** 20, maxSide: 8000 },
      maxTotalBytes: 32e6,
    },
    batches: {
      path: "/v1/messages/batches",
      open: anthropicBatches,
      write: (request) => writeAnthropic(request, options),
    },
  })
}

/** @throws UsageError for what the interface has no word for */
function checkChoices({ thinking }: AnthropicOptions): void {
  if (typeof thinking === "number" && !(Number.isInteger(thinking) && thinking >= 1024))
    throw new UsageError("thinking is off, adaptive, or a whole number of tokens from 1,024 on", {
      where: `anthropic({ thinking: ${JSON.stringify(thinking)} })`,
    })
}
