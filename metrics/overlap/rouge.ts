import { UsageError } from "../../src/core/errors.ts"
import { type Metric, scored } from "../../src/core/metric/metric.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { CommonSubsequences } from "../text/common-subsequence.ts"
import { ngramMatches, ngramTotal } from "../text/ngram-overlap.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { rougeTokens } from "./rouge-tokens.ts"

const types = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"] as const

/** Options of {@link rouge}. */
export interface RougeOptions {
  readonly name?: string
  /** N-grams of a length, the longest common subsequence, or that of summaries, sentence by sentence; `rougeL` by default. */
  readonly type?: (typeof types)[number]
  /** Porter's stemmer for tokens of more than three characters; false by default. */
  readonly stem?: boolean
  /** With several references: the one with the highest F (default), or the mean over all of them. */
  readonly aggregate?: "best" | "mean"
}

/** Precision, recall and F of one answer, each 0..1. */
export type RougeRow = readonly [precision: number, recall: number, f: number]

/**
 * ROUGE-1, -2, -L and -Lsum: what answer and reference share, as precision, recall and F (equal weights). `value` is F; the
 * details hold the means of precision and recall.
 *
 * Rewards copying, and misses paraphrase. Only a–z and 0–9 count: identical Chinese texts score 0. rougeLsum takes each line
 * as a sentence, so texts without line breaks get rougeL's value or nearly so.
 *
 * Range 0..1, higher is better. Cost: linear in tokens; rougeL tokens² / 30 at worst. Paper: Lin 2004. Equal to rouge_score
 * 0.1.2; with several references, `best` equals its `score_multi`. Row: [precision, recall, F]. Unscored: `no_reference`.
 *
 * @example
 * // output "the cat sat", references ["the cat was here"]
 * rouge({ type: "rouge1" }) // 0.571: precision 2/3, recall 2/4
 */
export function rouge(options: RougeOptions = {}): Metric<RougeRow> {
  const { type = "rougeL", stem = false, aggregate = "best" } = options
  if (!types.includes(type))
    throw new UsageError(`unknown type "${type}"`, { where: "rouge({ type })", hint: `use one of ${types.join(", ")}` })
  if (aggregate !== "best" && aggregate !== "mean")
    throw new UsageError(`unknown aggregate "${aggregate}"`, {
      where: "rouge({ aggregate })",
      hint: "use best or mean",
    })
  const vocabulary = new Vocabulary()
  const compare = type === "rougeLsum" ? bySummary : type === "rougeL" ? bySubsequence : byNgrams(Number(type.slice(5)))
  const prepare = (text: string) =>
    (type === "rougeLsum" ? text.split("\n").filter((line) => line !== "") : [text]).map((line) =>
      rougeTokens(line, stem, vocabulary),
    )
  return {
    name: options.name ?? type,
    signature: signature("rouge", { type, refs: aggregate, stem: stem ? "porter" : "no", tok: "rouge_score" }),
    direction: "higher",
    range: [0, 1],
    unit: "share",
    aggregation: { kind: "mean" },
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      vocabulary.clear()
      const answer = prepare(generation.text)
      const rows = references.map((reference) => compare(answer, prepare(reference), vocabulary))
      return scored(aggregate === "best" ? best(rows) : mean(rows, (row) => row))
    },
    value: (row) => row[2],
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const [precision, recall, f] = mean(rows, (entry) => entry.row)
      return { value: f, details: { precision, recall } }
    },
  }
}

/** Compares the sentences of an answer with the sentences of a reference (one each, except for summaries). */
type Compare = (answer: readonly Int32Array[], reference: readonly Int32Array[], vocabulary: Vocabulary) => RougeRow

function byNgrams(order: number): Compare {
  return ([answer = empty], [reference = empty]) =>
    shares(
      ngramMatches(answer, [reference], order)[order - 1] as number,
      ngramTotal(answer.length, order),
      ngramTotal(reference.length, order),
    )
}

const bySubsequence: Compare = ([answer = empty], [reference = empty], vocabulary) =>
  shares(new CommonSubsequences([answer], vocabulary.size).length(reference), answer.length, reference.length)

/** Summary level: for each sentence of the reference the union of its subsequences; no token counts more often than it is there. */
const bySummary: Compare = (answer, reference, vocabulary) => {
  const subsequences = new CommonSubsequences(answer, vocabulary.size)
  const inAnswer = counts(answer, vocabulary.size)
  const inReference = counts(reference, vocabulary.size)
  let hits = 0
  for (const sentence of reference) {
    const marks = subsequences.union(sentence)
    for (let i = 0; i < sentence.length; i++) {
      const token = sentence[i] as number
      if (marks[i] === 0 || inAnswer[token] === 0 || inReference[token] === 0) continue
      hits++
      inAnswer[token] = (inAnswer[token] as number) - 1
      inReference[token] = (inReference[token] as number) - 1
    }
  }
  return shares(hits, total(answer), total(reference))
}

const empty = new Int32Array(0)

function shares(hits: number, inAnswer: number, inReference: number): RougeRow {
  const precision = hits / Math.max(inAnswer, 1)
  const recall = hits / Math.max(inReference, 1)
  return [precision, recall, hits > 0 ? (2 * precision * recall) / (precision + recall) : 0]
}

function counts(sentences: readonly Int32Array[], symbols: number): Int32Array {
  const result = new Int32Array(symbols)
  for (const sentence of sentences) for (const token of sentence) result[token] = (result[token] as number) + 1
  return result
}

function total(sentences: readonly Int32Array[]): number {
  return sentences.reduce((sum, sentence) => sum + sentence.length, 0)
}

function best(rows: readonly RougeRow[]): RougeRow {
  return rows.reduce((winner, row) => (row[2] > winner[2] ? row : winner))
}

function mean<Item>(items: readonly Item[], rowOf: (item: Item) => RougeRow): RougeRow {
  const sum: [number, number, number] = [0, 0, 0]
  for (const item of items) {
    const [precision, recall, f] = rowOf(item)
    sum[0] += precision
    sum[1] += recall
    sum[2] += f
  }
  return [sum[0] / items.length, sum[1] / items.length, sum[2] / items.length]
}
