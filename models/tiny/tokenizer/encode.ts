import { bytesOf, spellBytes } from "./bytes.ts"
import { preTokenize } from "./pre-tokenize.ts"
import { joinPair, tokenIds, type Vocabulary } from "./train-bpe.ts"

/** Text to token ids and back, under one vocabulary. Control tokens are never made from text. */
export interface Tokenizer {
  encode(text: string): number[]
  decode(ids: readonly number[]): string
}

/** A tokenizer for a vocabulary; words are cached. */
export function createTokenizer({ tokens, merges }: Vocabulary): Tokenizer {
  const ids = new Map(tokens.map((token, id) => [token, id]))
  const ranks = new Map(merges.map((merge, rank) => [merge, rank]))
  const cache = new Map<string, readonly number[]>()

  function encodeWord(word: string): readonly number[] {
    const stored = cache.get(word)
    if (stored !== undefined) return stored
    let parts = spellBytes(word)
    for (let best = firstMerge(parts); best !== undefined; best = firstMerge(parts)) {
      parts = joinPair(parts, best[0], best[1])
    }
    const encoded = parts.map((part) => ids.get(part) ?? tokenIds.unknown)
    cache.set(word, encoded)
    return encoded
  }

  /** The neighbours that were merged earliest in training. */
  function firstMerge(parts: readonly string[]): [string, string] | undefined {
    let lowest = Number.POSITIVE_INFINITY
    let pair: [string, string] | undefined
    for (let i = 1; i < parts.length; i++) {
      const rank = ranks.get(`${parts[i - 1]} ${parts[i]}`)
      if (rank !== undefined && rank < lowest) {
        lowest = rank
        pair = [parts[i - 1] as string, parts[i] as string]
      }
    }
    return pair
  }

  return {
    encode: (text) => preTokenize(text).flatMap(encodeWord),
    decode: (list) =>
      Buffer.from(list.filter((id) => id > tokenIds.unknown).flatMap((id) => bytesOf(tokens[id] as string))).toString(
        "utf8",
      ),
  }
}
