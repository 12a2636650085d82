import type { Cost } from "../cost.ts"
import type { Attempt, Failure } from "../generation.ts"
import type { JsonValue } from "../json.ts"
import type { ToolCall } from "../message.ts"
import type { Outcome } from "../outcome.ts"
import type { ParameterDifference } from "../parameter-difference.ts"
import type { RequestLog } from "../request-log.ts"
import type { Usage } from "../usage.ts"
import type { ToolOutcome } from "./tool-outcome.ts"

/** One answer of the model within an episode. @experimental */
export interface ModelStep {
  readonly kind: "model"
  /** Turn of the user that it answers, from 0. */
  readonly turn: number
  readonly outcome: Outcome
  readonly text: string
  readonly reasoning: string
  /** What it asks to be called, each with an id of its own within the episode. */
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: string | null
  readonly usage: Usage
  readonly log: RequestLog
  /** Attempts that failed before it. */
  readonly retries: readonly Attempt[]
  readonly cost: Cost
  readonly failure: Failure | null
  readonly httpStatus: number | null
  readonly servedModel: string | null
  /** It came out of the response cache: its times say nothing. Absent where it did not. */
  readonly isReplayed?: boolean
  /** How what was sent differs from what was asked for; absent where it does not. */
  readonly differences?: readonly ParameterDifference[]
  /** Messages that were sent. */
  readonly messages: number
}

/** One call of a tool within an episode. @experimental */
export interface ToolStep {
  readonly kind: "tool"
  readonly turn: number
  /** Number of the model step that asked for it, and its place among that step's calls. */
  readonly asked: number
  readonly place: number
  readonly name: string
  readonly arguments: JsonValue
  readonly id: string
  /** `begun`: it was about to be called, and its end is not on record. */
  readonly outcome: ToolOutcome | "begun"
  /** What the model was given. */
  readonly result: string
  /** Characters of the result before it was cut; absent where it was not. */
  readonly resultLength?: number
  /** Milliseconds on the clock of the model steps' logs. */
  readonly startMs: number
  readonly endMs: number
  /** The result is the one that an earlier call of the same episode brought: what has effects outside is not called twice. */
  readonly isRepeated?: boolean
}

/** A call of a model beside the variant's own: its time and its cost are not the variant's. @experimental */
export interface SideCall {
  /** How the call ended. */
  readonly outcome: Outcome
  readonly usage: Usage
  /** US dollars paid for it here; 0 where an equal call was made before, null when its price is unknown. */
  readonly costUsd: number | null
  readonly seconds: number
  readonly failure: Failure | null
  readonly servedModel: string | null
  /** An equal call was made before: its reply came out of the store. Absent where it did not. */
  readonly isReplayed?: boolean
}

/** What a simulated user said within an episode. Its time and its cost are not the variant's. @experimental */
export interface UserStep extends SideCall {
  readonly kind: "user"
  /** Turn that it begins, or would have begun, from 0. */
  readonly turn: number
  /** What the variant is told: the reply without its stop mark. */
  readonly text: string
  /** The user ended the conversation: the text is not sent any more. */
  readonly isOver: boolean
}

/** A summary of earlier turns that are no longer shown. Its time and its cost are not in the variant's figures. @experimental */
export interface SummaryStep extends SideCall {
  readonly kind: "summary"
  /** Turn whose answer is the first to see it, from 0. */
  readonly turn: number
  /** How many turns from the beginning it stands for. */
  readonly until: number
  readonly text: string
}

/** From here on the episode began anew: what its tools had changed was lost with the process. @experimental */
export interface RestartStep {
  readonly kind: "restart"
  readonly reason: string
}

/** What happened in an episode, in order; each is on disk before the next begins. @experimental */
export type EpisodeStep = ModelStep | ToolStep | UserStep | SummaryStep | RestartStep
