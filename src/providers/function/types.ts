import type { StagePassage } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import type { GenerationParameters } from "../../core/provider.ts"
import type { Sample } from "../../core/sample.ts"
import type { Usage } from "../../core/usage.ts"

/** A sample without its answer key: no references, no expected tools, no label. @public */
export type Question = Omit<Sample, "references" | "expectedTools" | "label">

/** What an application gets for one answer. @public */
export interface FunctionCall {
  /** The prompt as the variant's template rendered it. */
  readonly messages: readonly ChatMessage[]
  /** The sample that is asked; null when the function is asked as a judge. */
  readonly sample: Question | null
  /** 0, 1, 2 … when a sample is asked several times. */
  readonly repeat: number
  /** The variant's parameters (temperature, maxTokens …); a function is free to ignore them. */
  readonly parameters: GenerationParameters
  /** Aborts when the run is interrupted or the total time limit is over: hand it to what you call. */
  readonly signal: AbortSignal
  /** Call it with each piece of text as it arrives: that is what time to first token is measured by. */
  onToken(text: string): void
  /**
   * Runs a part of the work and notes how long it took under this name. A name that comes again adds up.
   * @param passages of what the work brought: the passages that are left after it, so that `lostPassages()` can say where one was lost
   */
  stage<Result>(
    name: string,
    work: () => Result | Promise<Result>,
    passages?: (result: Result) => readonly StagePassage[],
  ): Promise<Result>
}

/** A stage timed by the application itself, in milliseconds since the call began. @public */
export interface ReplyStage {
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  /** The passages that it had at its end. */
  readonly passages?: readonly StagePassage[]
}

/** A stage by its name: how long it took, and the passages that it had at its end. @public */
export interface NamedStage {
  readonly ms?: number
  readonly passages?: readonly StagePassage[]
}

/**
 * What an application may return besides a bare text. Every further member must be JSON: metrics find it as
 * `generation.returned.fields` and, where the sample has no field of that name, in `sample.metadata`.
 * @public
 */
export interface FunctionReply {
  /** May be left out when the text was given piece by piece. */
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly ToolCall[]
  /** Passages that were retrieved, best first: metrics take them for the sample's `context`. */
  readonly passages?: readonly string[]
  /** Stages, when they were not timed by `stage`: milliseconds by name (and their passages), or beginnings and ends. */
  readonly stages?: Readonly<Record<string, number | NamedStage>> | readonly ReplyStage[]
  /** Token counts, in our names or as a client of OpenAI, Anthropic or Gemini gives them (`reply.usage`). */
  readonly usage?: Partial<Usage> | object
  /** What the answer cost in US dollars, where the application knows. */
  readonly costUsd?: number
  /** `length` when the answer was cut off at a limit, `content_filter` when it was refused; anything else counts as complete. */
  readonly finishReason?: string
  /** The model that answered, as the service names it. */
  readonly model?: string
  readonly [field: string]: JsonValue | object | undefined
}

/** Anyone's own pipeline: sync, async, or a generator of pieces of text that may return a reply at its end. @public */
export type AnswerFunction = (
  call: FunctionCall,
) =>
  | string
  | FunctionReply
  | Promise<string | FunctionReply>
  | Iterable<string, string | FunctionReply | undefined>
  | AsyncIterable<string, string | FunctionReply | undefined>
