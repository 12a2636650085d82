import type { TokenLogprob } from "../../core/generation.ts"
import type { CallKey } from "../../core/run/run-store.ts"
import { decodeLogprobs } from "../logprobs-codec.ts"
import type { Connection } from "./connection.ts"
import type { SqlValue } from "./database.ts"

/** Tokens and alternatives that are kept unpacked, at most: about 40 MB. What was not looked at for longest goes first. */
const maxKept = 600_000

/** Columns of an answer: whether it has log-probabilities, and they themselves where they are few enough to be read with it. */
export const logprobsColumns =
  "logprobs IS NOT NULL AS packed, CASE WHEN length(logprobs) <= 4096 THEN logprobs END AS few"

/**
 * What reads the log-probabilities of one answer when somebody looks at them.
 *
 * @param few they themselves, where they were read with the answer
 */
export type LogprobsReader = (runId: string, key: CallKey, few: SqlValue | undefined) => () => readonly TokenLogprob[]

/**
 * A {@link LogprobsReader} of a store's answers. Several looks at one answer unpack it once; however many answers are looked at, only
 * the last few are kept.
 */
export function createLogprobsReader({ sql }: Connection): LogprobsReader {
  const kept = new Map<object, Unpacked>()
  let total = 0
  const forget = (reader: object): void => {
    total -= kept.get(reader)?.size ?? 0
    kept.delete(reader)
  }
  return (runId, key, few) => {
    const packed = () => (few instanceof Uint8Array ? few : read([runId, key.variant, key.sampleId, key.repeat]))
    const reader = (): readonly TokenLogprob[] => {
      const unpacked = kept.get(reader) ?? unpack(packed())
      forget(reader)
      kept.set(reader, unpacked)
      total += unpacked.size
      for (const oldest of kept.keys()) {
        if (total <= maxKept || oldest === reader) break
        forget(oldest)
      }
      return unpacked.tokens
    }
    return reader
  }

  function read(key: readonly (string | number)[]): Uint8Array {
    const packed = sql(
      "SELECT logprobs FROM generations WHERE run_id = ? AND variant = ? AND sample_id = ? AND repeat = ?",
    ).get(key)?.logprobs
    if (packed instanceof Uint8Array) return packed
    throw new Error(`the log-probabilities of the answer to sample ${String(key[2])} are gone from the store`)
  }
}

interface Unpacked {
  readonly tokens: readonly TokenLogprob[]
  /** Tokens and alternatives. */
  readonly size: number
}

function unpack(packed: Uint8Array): Unpacked {
  const tokens = decodeLogprobs(packed)
  return { tokens, size: tokens.reduce((sum, { top }) => sum + 1 + top.length, 0) }
}
