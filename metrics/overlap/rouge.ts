import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { rowMetric } from "../row-metric.ts"
import { splitSentences } from "../statements/sentences.ts"
import { CommonSubsequences } from "../text/common-subsequence.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { type LanguageCode, languageOf } from "../text/languages/language.ts"
import { loadStemmer, type Stem, stemmerIdentity } from "../text/languages/stemmer.ts"
import { wordsOf } from "../text/languages/words.ts"
import { ngramMatches, ngramTotal } from "../text/ngram-overlap.ts"
import { porterStem } from "../text/porter-stemmer.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"

const types = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"] as const

/** Options of {@link rouge}. @public */
export interface RougeOptions extends UnicodeOption {
  readonly name?: string
  /** N-grams of a length, the longest common subsequence, or that of summaries, sentence by sentence; `rougeL` by default. */
  readonly type?: (typeof types)[number]
  /**
   * Whether words are compared by their stems. Without a language: NLTK's Porter stemmer for tokens of more than three
   * characters, false by default. With one: natural's stemmer for every word, true by default (Persian and Indonesian have none).
   */
  readonly stem?: boolean
  /** The language of the texts, where it is not English: words of any script count, and stems are that language's. */
  readonly language?: LanguageCode
  /** What rougeLsum takes for a sentence: a line (default, as rouge_score), or also what a full stop ends (`split`). */
  readonly sentences?: "lines" | "split"
  /** With several references: the one with the highest F (default), or the mean over all of them. */
  readonly aggregate?: "best" | "mean"
}

/** Precision, recall and F of one answer, each 0..1. @public */
export type RougeRow = readonly [precision: number, recall: number, f: number]

/**
 * ROUGE-1, -2, -L and -Lsum: what answer and reference share, as precision, recall and F (equal weights). `value` is F; the
 * details hold the means of precision and recall.
 *
 * Rewards copying, and misses paraphrase. Without a `language` only a–z and 0–9 count, as in rouge_score: texts of other scripts are
 * unscored (with `stem` stated they are 0, as there), and "été" is the token "t". rougeLsum takes each line as a sentence, so texts without line breaks get
 * rougeL's value or nearly so, unless `sentences` is `split`.
 *
 * Range 0..1, higher is better. Cost: linear in tokens; rougeL tokens² / 30 at worst. Paper: Lin 2004. Equal to rouge_score
 * 0.1.2, in other languages to rouge_score with the same words and stems; with several references, `best` equals its
 * `score_multi`. Row: [precision, recall, F]. Unscored: `no_reference`, `language`.
 *
 * @throws {UsageError} for an unknown type or language, or stems of a language that has no stemmer
 * @example
 * // output "the cat sat", references ["the cat was here"]
 * rouge({ type: "rouge1" }) // 0.571: precision 2/3, recall 2/4
 * @example
 * // output "Les maisons anciennes", references ["La maison ancienne"]
 * rouge({ type: "rouge1", language: "fr" }) // 0.667: two of three stems
 * @public
 */
export function rouge(options: RougeOptions = {}): Metric<RougeRow> {
  checkOptions("rouge", options)
  const { type = "rougeL", aggregate = "best", language, sentences = "lines" } = options
  const stem = options.stem ?? (language !== undefined && languageOf(language, "rouge({ language })").stemmer !== null)
  const identity = language === undefined ? "" : stemmerIdentity(language, stem, "rouge({ language, stem })")
  const vocabulary = new Vocabulary()
  const compare = type === "rougeLsum" ? bySummary : type === "rougeL" ? bySubsequence : byNgrams(Number(type.slice(5)))
  const tokensOf = (line: string, stemOf: Stem | null) =>
    language === undefined ? rougeTokens(line, stem, vocabulary) : languageTokens(line, stemOf, vocabulary)
  const measure = (answerText: string, references: readonly string[], stemOf: Stem | null) => {
    vocabulary.clear()
    const prepare = (text: string) => parts(text, type, sentences, language).map((part) => tokensOf(part, stemOf))
    const answer = prepare(answerText)
    const rows = references.map((reference) => compare(answer, prepare(reference), vocabulary))
    return aggregate === "best" ? best(rows) : mean(rows)
  }
  let loaded: Stem | null = null
  const metric = rowMetric({
    name: options.name ?? type,
    signature: signature("rouge", {
      type,
      refs: aggregate,
      ...(language === undefined
        ? { stem: stem ? "porter" : "no", tok: "rouge_score" }
        : { lang: language, stem: identity, tok: "words-unicode" }),
      ...(type === "rougeLsum" && sentences === "split" && { sentences }),
    }),
    range: [0, 1],
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      // Who states `stem` asks for rouge_score's own figure, which is 0 there.
      const isBlind = language === undefined && options.stem === undefined && references.every(isMostlyUnread)
      if (isBlind) return unscored("language", noToken)
      if (language === undefined || !stem || loaded !== null) return measure(generation.text, references, loaded)
      return loadStemmer(language).then((stemOf) => {
        loaded = stemOf
        return measure(generation.text, references, stemOf)
      })
    },
    value: (row) => row[2],
    parts: ([precision, recall]) => ({ precision, recall }),
    summarise(rows) {
      const [precision, recall, f] = mean(rows)
      return { value: f, details: { precision, recall } }
    },
  })
  return textMetric("rouge", options, comparing(options, metric))
}

/** What is compared as one sequence of tokens: the whole text, or for summaries its sentences. */
function parts(
  text: string,
  type: NonNullable<RougeOptions["type"]>,
  sentences: "lines" | "split",
  language: LanguageCode | undefined,
): readonly string[] {
  if (type !== "rougeLsum") return [text]
  if (sentences === "split") return splitSentences(text, language).map((sentence) => sentence.text)
  return text.split("\n").filter((line) => line !== "")
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

/** Whether rouge_score compares fewer than half of a text's letters and digits: the others separate. */
function isMostlyUnread(text: string): boolean {
  const read = text.match(/[a-z0-9]/gi)?.length ?? 0
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) > 2 * read
}

const noToken =
  'rouge_score compares a–z and 0–9 only, and the reference has few or none; set language: "ru", "uk" or "fa" where it is one of these, or use chrf(), which compares characters'

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

function mean(rows: readonly RougeRow[]): RougeRow {
  const sum: [number, number, number] = [0, 0, 0]
  for (const [precision, recall, f] of rows) {
    sum[0] += precision
    sum[1] += recall
    sum[2] += f
  }
  return [sum[0] / rows.length, sum[1] / rows.length, sum[2] / rows.length]
}

/**
 * The tokens of Google's rouge_score as numbers of a vocabulary: runs of a–z and 0–9 in the lower-case text, everything
 * else separates. So a Chinese text has no tokens. With `stem`, tokens of more than three characters are stemmed.
 */
function rougeTokens(text: string, stem: boolean, vocabulary: Vocabulary): Int32Array {
  const line = text.toLowerCase()
  if (numbers.length < line.length || numbers.length > 2 ** 20) numbers = new Int32Array(Math.max(1024, line.length))
  let count = 0
  let start = 0
  for (let i = 0; i <= line.length; i++) {
    const code = i < line.length ? line.charCodeAt(i) : 0
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) continue
    if (i > start)
      numbers[count++] =
        stem && i - start > 3 ? vocabulary.add(porterStem(line.slice(start, i))) : vocabulary.add(line, start, i)
    start = i + 1
  }
  return numbers.slice(0, count)
}
let numbers = new Int32Array(1024)

/** The words of a text in any script as numbers of a vocabulary, each by its stem; as they are where `stem` is null. */
function languageTokens(text: string, stem: Stem | null, vocabulary: Vocabulary): Int32Array {
  const words = wordsOf(text)
  return vocabulary.number(stem === null ? words : words.map(stem))
}
