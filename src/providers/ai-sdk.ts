import type { Price } from "../core/cost.ts"
import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { openAiSdkSession } from "./ai-sdk/session.ts"
import type { AiSdkModel } from "./ai-sdk/types.ts"
import { anyMedia } from "./client/any-media.ts"

/** Options of {@link fromAiSdk}. @public */
export interface FromAiSdkOptions {
  /** For reports. Default: `ai-sdk`, the provider and the model. */
  readonly label?: string
  /** Change it when something changes that cannot be seen from outside: a base URL, a middleware. */
  readonly version?: string
  /** What its tokens cost. Default: unknown, since the model does not say at which address it is asked. */
  readonly price?: Price
  /** Calls at once, at most. Default: the run's own limit. */
  readonly concurrency?: number
}

/**
 * A language model of the Vercel AI SDK as a provider, always streamed: of `ai` 5 and 6 (specification v2 and v3), from any package that
 * makes them, with its middleware. Text, thinking, calls of tools, finish reasons, usage with cached and reasoning tokens, and errors by
 * their HTTP status come as from evalkit's own clients.
 *
 * The SDK sends by a transport of its own: time to first token and total time are taken where its stream hands parts on; when a connection
 * stood and when headers and bytes came is not known, and every answer says so (`server.stamps`). `parameters.extra` is sent as
 * `providerOptions`; `effort` and `topLogprobs` are its providers' own options, and not sent otherwise: a note says so.
 *
 * @param model what `openai("gpt-5.4-mini")` of `@ai-sdk/openai` gives; not a name
 * @throws UsageError when `model` is none
 * @example
 * import { openai } from "@ai-sdk/openai"
 * variant({ name: "sdk", provider: fromAiSdk(openai("gpt-5.4-mini")) })
 * @public
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): Provider {
  checkOptions("fromAiSdk", options)
  const { specificationVersion, provider, modelId } = asModel(model)
  const { price, concurrency, version } = options
  return {
    kind: "aiSdk",
    // Under the name of a service it may ask another address: no price of the book is its own for certain.
    traits: { service: null, media: anyMedia },
    model: modelId,
    label: options.label ?? `ai-sdk ${provider} ${modelId}`,
    endpoint: `ai-sdk:${provider}`,
    identity: {
      kind: "aiSdk",
      specification: specificationVersion,
      provider,
      model: modelId,
      version: version ?? null,
    },
    ...(price && { price }),
    ...(concurrency !== undefined && { concurrency }),
    open: () => Promise.resolve(openAiSdkSession(model)),
  }
}

function asModel(model: unknown): AiSdkModel {
  const { specificationVersion, provider, modelId, doStream } = Object(model) as Partial<AiSdkModel>
  if (typeof doStream !== "function" || typeof modelId !== "string" || typeof provider !== "string")
    throw new UsageError("fromAiSdk needs a language model", {
      where: typeof model === "string" ? `got the name ${JSON.stringify(model.slice(0, 60))}` : `got ${typeof model}`,
      hint: 'write for example fromAiSdk(openai("gpt-5.4-mini")), with openai of @ai-sdk/openai',
    })
  if (specificationVersion !== "v2" && specificationVersion !== "v3")
    throw new UsageError("fromAiSdk reads the AI SDK's specifications v2 and v3", {
      where: `${provider} ${modelId} has ${JSON.stringify(specificationVersion)?.slice(0, 20)}`,
    })
  return model as AiSdkModel
}
