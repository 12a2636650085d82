import type { JsonValue } from "../json.ts"
import type { ToolDefinition } from "../message.ts"
import type { GenerationParameters, ModelRequest, Provider } from "../provider.ts"
import type { Sample } from "../sample.ts"
import type { ToolOutcome } from "./tool-outcome.ts"
import type { ToolSource } from "./tool-source.ts"

/**
 * What calling a tool changes.
 * - `none`: nothing; it may be called again at any time, and beside other calls.
 * - `state`: the state of the episode, which is made anew with every episode.
 * - `outside`: something that outlives the episode (a mail, a row in a database): never called twice for one step.
 * @public
 */
export type ToolEffects = "none" | "state" | "outside"

/** A sample without what a good answer would be. @public */
export type OpenSample = Omit<Sample, "references" | "expectedTools" | "label">

/** What a tool may use. @public */
export interface ToolContext<State = unknown> {
  /** State of the episode, which the tool may change; undefined where the episode has none. */
  readonly state: State
  readonly sample: OpenSample
  /** Aborted when its time is over, or when the run is cut. */
  readonly signal: AbortSignal
  /** The same for each variant: a seed for what the tool draws, from the run's seed, the sample, the repeat and the call's number. */
  readonly seed: string
}

/** What a call of a tool brought. @experimental */
export interface ToolReply {
  readonly outcome: ToolOutcome
  /** What the model is given. */
  readonly result: string
  readonly resultLength?: number
}

/** A tool that can be called: made by `tool()`. @public */
export interface Tool extends ToolDefinition {
  readonly effects: ToolEffects
  /** Everything that changes what it gives. */
  readonly identity: JsonValue
  /** Calls it with what a model sent. Never rejects. @internal */
  call(value: JsonValue, context: ToolContext): Promise<ToolReply>
}

/**
 * What the model is shown of the earlier turns: all, or the last ones; with `summary` a model's summary of what is no longer shown stands
 * before them.
 * @public
 */
export type HistoryPolicy = "full" | { readonly last: number; readonly summary?: HistorySummary }

/** Who sums up what is no longer shown of a conversation. @public */
export interface HistorySummary {
  readonly provider: Provider
  /** Temperature is 0 and 256 tokens are the most, unless stated here. The seed is evalkit's. */
  readonly parameters?: Omit<GenerationParameters, "seed" | "jsonSchema" | "structured" | "tools" | "topLogprobs">
  /** Characters of each text that is summed up, at most. Default: 20,000. */
  readonly maxCharacters?: number
}

/** What was said in a conversation, in order; calls of tools are left out. @public */
export interface Said {
  readonly who: "user" | "assistant"
  readonly text: string
}

/** A model that plays the user of a conversation: made by `simulatedUser()`. @public */
export interface SimulatedUser {
  readonly provider: Provider
  /** Turns of the user in one conversation, at most, the first one among them. */
  readonly maxTurns: number
  /** Users that the repeats of a sample are spread over; null: each repeat meets a user of its own. */
  readonly draws: number | null
  /** Everything that changes what the user says. */
  readonly identity: JsonValue
  /** What its model is sent for the user's next words. @internal */
  request(sample: OpenSample, said: readonly Said[], seed: string): ModelRequest
  /** The user's words out of the model's reply, and whether the user ends the conversation with it. @internal */
  read(reply: string): { readonly text: string; readonly isOver: boolean }
  /** Whether the conversation is over by what the tools left, before the user is asked again; absent: only the user ends it. */
  done?(state: unknown): boolean
}

/** How a variant goes through conversations and loops over tools. Made by `episode()`. @public */
export interface EpisodeDesign {
  readonly tools: readonly Tool[]
  /** Where further tools come from; a run adds them to `tools` and to `identity` before anything is asked. */
  readonly sources?: readonly ToolSource[]
  /** Answers of the model in one episode, at most. */
  readonly maxSteps: number
  readonly history: HistoryPolicy
  /** What stands for the answers to earlier turns: the variant's own, or the sample's references. */
  readonly answers: "own" | "reference"
  /** Plays the user; absent: the user says what the sample holds. */
  readonly user?: SimulatedUser
  /** Everything that changes an episode. */
  readonly identity: JsonValue
  /** State that an episode begins with; absent: its tools have none. */
  state?(sample: OpenSample): unknown
}
