import type { Price } from "./cost.ts"
import type { EpisodeDesign } from "./episode/design.ts"
import { contentHash, type JsonValue } from "./json.ts"
import type { ChatMessage, ToolDefinition } from "./message.ts"
import type { GenerationParameters, Provider } from "./provider.ts"
import type { Sample } from "./sample.ts"

/**
 * Turns a sample into the messages that are sent. `identity` holds the template's text, so that it can be fingerprinted.
 * @public
 */
export interface Prompt {
  readonly identity: JsonValue
  /** Throws {@link UsageError} naming the field when the sample lacks one that the template uses. */
  render(sample: Sample): readonly ChatMessage[]
}

/** Requests and tokens that may be started per minute, and how many may be in flight. @public */
export interface VariantLimits {
  readonly concurrency?: number
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
}

/** A value on an axis of a sweep. @public */
export type SweepValue = string | number | boolean | null

/** Where a variant stands in a sweep. @public */
export interface SweepPlace {
  /** The variant that was swept. */
  readonly of: string
  /** Its value on each axis. */
  readonly point: Readonly<Record<string, SweepValue>>
  /** All values of each axis, in the order in which they were given. */
  readonly axes: Readonly<Record<string, readonly SweepValue[]>>
}

/**
 * What is compared: provider + model + quantization + prompt + parameters + price. The unit on the frontier.
 * @public
 */
export interface Variant {
  /** Unique within a run; letters, digits, `.`, `_`, `-`. */
  readonly name: string
  readonly provider: Provider
  readonly prompt: Prompt
  readonly parameters: GenerationParameters
  /** `null`: unknown, and stays unknown everywhere. */
  readonly price: Price | null
  readonly limits: VariantLimits
  /** Tools offered to the model, kept apart from the sample's expectations. */
  readonly tools?: readonly ToolDefinition[]
  /** How it goes through conversations and loops over tools; absent: tools are offered and not called, and turns are replayed in full. */
  readonly episode?: EpisodeDesign
  /** Set where a sweep made the variant. */
  readonly sweep?: SweepPlace
}

/** Hash of everything that changes an answer of the variant; its name and its price do not. @public */
export function variantFingerprint(variant: Variant): string {
  return contentHash({
    provider: variant.provider.identity,
    prompt: variant.prompt.identity,
    parameters: variant.parameters,
    tools: variant.tools ?? null,
    ...(variant.episode && { episode: variant.episode.identity }),
  })
}
