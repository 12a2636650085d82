import { byteCharacters, spellBytes } from "./bytes.ts"
import { preTokenize } from "./pre-tokenize.ts"

/** A byte-level BPE vocabulary as GGUF stores it. */
export interface Vocabulary {
  readonly tokens: readonly string[]
  /** "left right", in the order in which they were learned. */
  readonly merges: readonly string[]
}

/** Control tokens, at the start of the vocabulary in this order. */
export const controlTokens = ["<|bos|>", "<|end|>", "<|user|>", "<|assistant|>", "<|unk|>"] as const
/** Their ids. */
export const tokenIds = { bos: 0, end: 1, user: 2, assistant: 3, unknown: 4 } as const

/**
 * Byte-pair encoding after Sennrich et al. 2016: joins the most frequent neighbours until the vocabulary has `size`
 * tokens; ties go to the pair that sorts first.
 */
export function trainBpe(texts: Iterable<string>, size: number): Vocabulary {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of preTokenize(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let words = [...counts].map(([word, count]) => ({ parts: spellBytes(word), count }))

  const tokens = new Set<string>([...controlTokens, ...byteCharacters])
  const merges: string[] = []
  while (tokens.size < size) {
    const best = mostFrequentPair(words)
    if (best === undefined) break
    const [left, right] = best.split(" ") as [string, string]
    merges.push(best)
    tokens.add(left + right)
    words = words.map(({ parts, count }) => ({ parts: joinPair(parts, left, right), count }))
  }
  return { tokens: [...tokens], merges }
}

/** The parts with every `left`, `right` joined, from left to right. */
export function joinPair(parts: string[], left: string, right: string): string[] {
  const joined: string[] = []
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] === left && parts[i + 1] === right) {
      joined.push(left + right)
      i++
    } else {
      joined.push(parts[i] as string)
    }
  }
  return joined
}

function mostFrequentPair(words: readonly { parts: readonly string[]; count: number }[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { parts, count } of words) {
    for (let i = 1; i < parts.length; i++) {
      const pair = `${parts[i - 1]} ${parts[i]}`
      counts.set(pair, (counts.get(pair) ?? 0) + count)
    }
  }
  let best: string | undefined
  let most = 0
  for (const [pair, count] of counts) {
    if (count > most || (count === most && best !== undefined && pair < best)) {
      best = pair
      most = count
    }
  }
  return best
}
