import { isObject } from "../../src/core/json-members.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { splitSentences } from "../statements/sentences.ts"
import { isUnscored, questionOf } from "../text/references.ts"
import { askJson, defaultMaxCharacters, listSchema } from "./ask-json.ts"
import { type JudgedMetricOptions, type JudgedRow, judgedMetric, judgedRow } from "./judged-metric.ts"

const instructions =
  "The sentences of the passages are numbered. Name the sentences that are needed to answer the question: without them the answer, or a " +
  "part of it, could not be given. Sentences that are only on the same subject are not needed. Reply with a JSON object: " +
  '{"needed": [numbers of these sentences]}. The list is empty when the passages do not answer the question.'

const reply = { name: "needed", schema: listSchema("needed", { type: "integer" }) } as const

/** Sentences that are shown; more would not fit a reply. */
const maxSentences = 500

/**
 * Context relevancy by a judge: the share of the passages' sentences that are needed to answer the question. The rest is ballast: it
 * costs tokens, time, and often accuracy.
 *
 * {@link contextRelevancy} (embeddings) gives a high value to what is merely on the subject and most to what repeats the question; this
 * form asks whether it helps. Splitting passages more finely changes the value, so compare it only between retrievals of one kind. A
 * property of the retrieval, not of the answer. Range 0..1, higher is better; the summary is the mean. Cost: one call an answer, shared
 * by variants with the same passages. Source: Es et al. 2023 (Ragas), context relevance. Unscored: `no_input`, `no_context`,
 * `judge_failed`, `judge_refused`, `judge_unparseable`.
 *
 * Misleads where a passage is needed as a whole, but only one sentence of it names the answer.
 *
 * @example
 * // context ["Penguins live in Antarctica. They are birds."], input "Where do penguins live?"
 * judged.contextRelevancy({ provider: openai({ model: "gpt-4o-mini" }) }) // 0.5
 * @public
 */
export function judgedContextRelevancy(options: JudgedMetricOptions): Metric<JudgedRow> {
  checkOptions("judgedContextRelevancy", options)
  return judgedMetric({
    figure: "judgedContextRelevancy",
    options,
    facts: { sentences: "needed" },
    replies: [reply],
    async measure([parameters = {}], sample, _generation, tools) {
      const question = questionOf(sample)
      if (isUnscored(question)) return question
      const passages = sample.context.map((passage) => splitSentences(passage).map(({ text }) => text))
      const sentences = passages.flat().slice(0, maxSentences)
      if (sentences.length === 0) return unscored("no_context", "the sample has no passages")
      const result = await askJson<ReadonlySet<number>>(
        {
          provider: options.provider,
          parameters,
          instructions,
          texts: [{ title: "Question", text: question }, ...numbered(passages)],
          limit: options.maxCharacters ?? defaultMaxCharacters,
          purpose: "needed sentences",
          codes: "judge",
          read(said) {
            const list = isObject(said) ? said.needed : said
            if (!Array.isArray(list)) return { problem: "the reply holds no list of sentences" }
            const numbers = new Set(list.map(Number))
            return [...numbers].every((number) => Number.isInteger(number) && number >= 1 && number <= sentences.length)
              ? { value: numbers }
              : { problem: `it names a sentence that is not among the ${sentences.length}` }
          },
        },
        tools,
      )
      if ("status" in result) return result
      const needed = result.value
      return judgedRow(
        needed.size / sentences.length,
        sentences.map((sentence, i) => ({ said: needed.has(i + 1) ? "needed" : "not needed", of: sentence })),
      )
    },
  })
}

/** The passages as texts of numbered sentences. */
function numbered(passages: readonly (readonly string[])[]): { title: string; text: string }[] {
  let number = 0
  return passages.map((sentences, i) => ({
    title: `Passage ${i + 1}, its sentences numbered`,
    text: sentences.flatMap((text) => (++number > maxSentences ? [] : [`${number}. ${text}`])).join("\n"),
  }))
}
