import { UsageError } from "../../src/core/errors.ts"
import type { Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { mean } from "../../src/stats/mean.ts"
import { greedyMatch, weightedTokens } from "../semantic/greedy-match.ts"
import { type EmbedderOption, embedderIdentity, withEmbedder } from "../semantic/use-embedder.ts"
import { contentWords } from "../statements/content-words.ts"
import { splitSentences } from "../statements/sentences.ts"
import type { EntailmentModel } from "./entailment.ts"

/** How a sentence is compared with other answers. @public */
export type ConsistencyForm = "words" | "ngram" | "bertScore" | "nli"

/** One answer and the others to the same question. */
interface Compared {
  readonly text: string
  /** Its sentences; each has a content word. */
  readonly sentences: readonly string[]
  /** At least one; each has a content word. */
  readonly others: readonly string[]
  readonly tools: MetricTools
}

interface Form {
  /** Parts of the signature. */
  readonly identity: Readonly<Record<string, string | number>>
  readonly cost: string
  /** How much of each sentence the other answers do not support, in order. */
  inconsistencies(compared: Compared): Promise<readonly number[] | Unscored>
}

/** What a form does, costs, and is called in a signature. */
export function consistencyForm(
  options: EmbedderOption & { readonly model?: EntailmentModel },
  form: ConsistencyForm,
  n: number,
): Form {
  if (form === "nli") return entailmentForm(options.model)
  if (form === "bertScore") return bertScoreForm(options)
  if (form === "ngram")
    return { identity: { n }, cost: "no model", inconsistencies: async (compared) => leastProbable(compared, n) }
  return { identity: {}, cost: "no model", inconsistencies: async (compared) => missingWords(compared) }
}

function missingWords({ sentences, others }: Compared): number[] {
  const theirs = others.map((other) => new Set(contentWords(other)))
  return sentences.map((sentence) => {
    const own = [...new Set(contentWords(sentence))]
    return mean(own.map((word) => theirs.filter((words) => !words.has(word)).length / theirs.length))
  })
}

/** The largest −ln p of a sentence's n-grams, by counts over the answer and the others together, without smoothing. */
function leastProbable({ text, sentences, others }: Compared, n: number): number[] {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.get(key) ?? 0
  for (const answer of [text, ...others])
    for (const sentence of splitSentences(answer))
      for (const { gram, before } of ngrams(contentWords(sentence.text), n))
        for (const key of [gram, before]) counts.set(key, count(key) + 1)
  return sentences.map((sentence) => {
    const grams = ngrams(contentWords(sentence), n)
    return grams.reduce((max, { gram, before }) => Math.max(max, Math.log(count(before) / count(gram))), 0)
  })
}

/** Each word with the n − 1 before it, and those alone. The keys of the two cannot be equal. */
function ngrams(words: readonly string[], n: number): readonly { readonly gram: string; readonly before: string }[] {
  return words.map((word, i) => {
    const before = words.slice(Math.max(0, i - n + 1), i).join(" ")
    return { gram: `${before}\u0000${word}`, before: `${before}\u0001` }
  })
}

function bertScoreForm(options: EmbedderOption): Form {
  const { embedder } = options
  if (embedder && !embedder.embedTokens)
    throw new UsageError("the BERTScore form needs token embeddings, which this embedder does not give", {
      where: embedder.identity,
      hint: "take transformers(…)",
    })
  return {
    identity: { embedder: embedderIdentity(options) },
    cost: "one pass of the embedder per sentence",
    inconsistencies: ({ sentences, others, tools }) =>
      withEmbedder<readonly number[]>(options, tools, async (opened) => {
        if (!opened.embedTokens) throw new UsageError("the embedder gives whole texts only", { where: opened.identity })
        const theirs = others.map((other) => splitSentences(other).map(({ text }) => text))
        const layer = opened.bertScoreLayer ?? null
        const embedded = await opened.embedTokens([...sentences, ...theirs.flat()], layer, tools.signal)
        const [own, rest] = [embedded.slice(0, sentences.length), embedded.slice(sentences.length)]
        const candidates = rest.map((tokens) => weightedTokens(tokens))
        const starts = theirs.map((_, i) => theirs.slice(0, i).reduce((sum, list) => sum + list.length, 0))
        return own.map((tokens) => {
          const sentence = weightedTokens(tokens)
          const scores = candidates.map((candidate) => greedyMatch(candidate, sentence)[2])
          const best = theirs.map((list, i) => {
            const start = starts[i] as number
            return Math.max(...scores.slice(start, start + list.length))
          })
          return Math.min(1, Math.max(0, 1 - mean(best)))
        })
      }),
  }
}

function entailmentForm(model: EntailmentModel | undefined): Form {
  if (!model?.contradiction)
    throw new UsageError("the NLI form needs a model that detects contradiction", {
      where: 'selfConsistency({ form: "nli" })',
      hint: "give model: entailmentModel(classifier({ … }))",
    })
  return {
    identity: { model: model.identity },
    cost: "sentences × other answers passes of a model on this machine",
    async inconsistencies({ sentences, others, tools }) {
      // The sentence comes first and the answer second, as in the authors' code.
      const pairs = sentences.flatMap((premise) => others.map((hypothesis) => ({ premise, hypothesis })))
      const scores = (await model.contradiction?.(pairs, tools.signal)) ?? []
      return sentences.map((_, i) => mean(scores.slice(i * others.length, (i + 1) * others.length)))
    },
  }
}
