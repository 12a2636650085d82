import type { Metered } from "./metered.ts"

/** What a moderation endpoint said of one text. @public */
export interface Moderation {
  /** The endpoint's own verdict. */
  readonly flagged: boolean
  /** Every category with its score, 0..1, and whether the endpoint flags it. */
  readonly categories: readonly { readonly name: string; readonly score: number; readonly flagged: boolean }[]
  /** The text's share of what the request cost; null when the price is unknown. */
  readonly costUsd: number | null
}

/** A service that says whether a text is harmful, and in what way. Nothing is sent before the first use. @public */
export interface Moderator extends Partial<Metered> {
  /** Model and host: part of every signature. */
  readonly identity: string
  /**
   * One verdict per text, in order.
   * @throws EvalkitError `moderation_failed` when the service does not give one
   */
  moderate(texts: readonly string[], signal: AbortSignal): Promise<readonly Moderation[]>
  /** What was used so far; the cost is null when the price is unknown. */
  usage(): { readonly requests: number; readonly texts: number; readonly costUsd: number | null }
  close(): Promise<void>
}
