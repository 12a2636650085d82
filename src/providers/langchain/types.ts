import type { Price } from "../../core/cost.ts"
import type { JsonObject } from "../../core/json.ts"
import type { ChatMessage } from "../../core/message.ts"
import type { Question } from "../function/types.ts"

/** What evalkit needs of a runnable of LangChain: a chat model, or a chain that ends in one, in a parser or in an object. @public */
export interface LangChainRunnable {
  /** Streams the answer to an input; `options` holds signal, callbacks and what {@link FromRunnableOptions} adds. */
  stream(input: never, options?: never): Promise<object>
}

/** What an input is made of. @public */
export interface RunnableCall {
  /** The prompt as the variant's template rendered it. */
  readonly messages: readonly ChatMessage[]
  /** The sample that is asked, without its answer key; null when the runnable is asked as a judge. */
  readonly sample: Question | null
}

/** Options of `fromRunnable`. @public */
export interface FromRunnableOptions {
  /** What the runnable is given. Default: the rendered messages, which chat models take; a chain with a prompt of its own needs its variables. */
  readonly input?: (call: RunnableCall) => unknown
  /** The text of an answer that is an object. Default: its JSON. */
  readonly output?: (value: unknown) => string
  /** Sent with every call, beside signal and callbacks: `{ tags: [...] }`, options of the model. */
  readonly callOptions?: JsonObject
  /** For reports. Default: the runnable's own name. */
  readonly name?: string
  /** Change it when something changes that cannot be seen from outside. */
  readonly version?: string
  /** The model behind it, for people. Default: the one that it names. */
  readonly model?: string
  /** What its tokens cost. Default: unknown. */
  readonly price?: Price
  /** Calls at once, at most. Default: the run's own limit. */
  readonly concurrency?: number
}
