import type { JsonValue } from "../../core/json.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { StreamEventKind } from "../../core/request-log.ts"
import type { Usage } from "../../core/usage.ts"

/** One recorded answer, as a line of the JSONL file holds it. Unknown fields are left alone. @experimental */
export interface RecordedRow {
  /** The sample's id. `sampleId` means the same. */
  readonly id?: string | undefined
  readonly sampleId?: string | undefined
  readonly repeat?: number | undefined
  readonly variant?: string | null | undefined
  /** The answer. `output` means the same. */
  readonly text?: string | undefined
  readonly output?: string | undefined
  readonly reasoning?: string | undefined
  readonly toolCalls?: readonly RecordedToolCall[] | undefined
  readonly logprobs?: readonly RecordedLogprob[] | null | undefined
  /** Default: as `finishReason` says, else `ok`; `empty` when there is neither text nor a tool call. */
  readonly outcome?: Outcome | undefined
  readonly finishReason?: string | null | undefined
  /** The text was given to the model to be scored, not written by it. */
  readonly isGivenText?: boolean | undefined
  readonly usage?: RecordedUsage | undefined
  /** The whole log, stamps relative to whatever origin the record has. */
  readonly log?: RecordedLog | undefined
  /** Without a log: when the first text came and when the last, in milliseconds from the start. */
  readonly ttftMs?: number | undefined
  readonly e2eMs?: number | undefined
  readonly httpStatus?: number | null | undefined
  readonly failure?: { readonly message: string; readonly code?: string | undefined } | null | undefined
  readonly retryAfterMs?: number | null | undefined
  readonly servedModel?: string | null | undefined
  readonly server?: JsonValue | undefined
  /** The passages that an application answered from, best first. */
  readonly passages?: readonly string[] | undefined
  /** Stages of a pipeline in their order: milliseconds, or with the passages that they had at their ends (`stages.retrieve.passages`). */
  readonly stages?: { readonly [name: string]: number | RecordedStage } | undefined
  /** What else the application returned. */
  readonly returned?: { readonly [name: string]: JsonValue } | undefined
}

interface RecordedStage {
  readonly ms?: number | undefined
  readonly passages?:
    | readonly (string | { readonly id?: string | undefined; readonly text?: string | undefined })[]
    | undefined
}

interface RecordedToolCall {
  readonly name: string
  readonly arguments: JsonValue
  readonly id?: string | undefined
}

interface RecordedLogprob {
  readonly token: string
  readonly logprob: number
  readonly top?: readonly { readonly token: string; readonly logprob: number }[] | undefined
}

/** The fields of `Usage`, each of which may be left out. */
type RecordedUsage = { readonly [Field in keyof Usage]?: Usage[Field] | undefined }

interface RecordedLog {
  readonly scheduledMs: number
  readonly sendMs: number
  readonly connectMs?: number | null | undefined
  readonly headersMs?: number | null | undefined
  readonly events: readonly {
    readonly atMs: number
    readonly kind: StreamEventKind
    readonly tokens?: number | null | undefined
    readonly bytes?: number | undefined
  }[]
  readonly endMs: number
  /** Only the end was timed: when the first token came is not known. */
  readonly endOnly?: true | undefined
  /** What the application spent its time on. */
  readonly stages?: readonly { readonly name: string; readonly startMs: number; readonly endMs: number }[] | undefined
}
