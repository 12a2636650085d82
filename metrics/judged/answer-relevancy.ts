import { UsageError } from "../../src/core/errors.ts"
import type { JsonValue } from "../../src/core/json.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { mean } from "../../src/stats/mean.ts"
import {
  type EmbedderOption,
  embedderIdentity,
  embedderParts,
  embedTexts,
  withEmbedder,
} from "../semantic/use-embedder.ts"
import { cosineSimilarity } from "../semantic/vectors.ts"
import { isUnscored, questionOf } from "../text/references.ts"
import { askJson, defaultMaxCharacters, listSchema, objectSchema, objectsOf, yesOrNo } from "./ask-json.ts"
import { type JudgedMetricOptions, type JudgedRow, judgedMetric, judgedRow } from "./judged-metric.ts"

/** Options of {@link judgedAnswerRelevancy}. @public */
export interface JudgedAnswerRelevancyOptions extends JudgedMetricOptions, EmbedderOption {
  /** Questions that are made from the answer, 1 to 10. Default 3. */
  readonly questions?: number
}

const reply = {
  name: "questions",
  schema: listSchema("questions", objectSchema({ question: { type: "string" }, noncommittal: { type: "boolean" } })),
} as const

/** Characters of a question that are compared. */
const maxQuestionLength = 1_000

/**
 * Answer relevancy by generated questions: a model writes the questions that the answer would fit, without seeing the real one; the value is
 * the mean cosine of their embeddings with the real question's. 0 when the model calls the answer noncommittal ("I do not know") for
 * every question.
 *
 * Asks whether the answer answers *this* question, where {@link answerRelevancy} (the cosine of question and answer) asks whether it is on the
 * subject, and gives an evasive answer in the question's words a high value. Neither knows whether the answer is right: a wrong
 * answer of the right kind ("Lyon" for the capital of France) scores high in both; put a metric of correctness or faithfulness beside them. A
 * long answer that also says other things loses here. Cosines of unrelated questions are rarely under 0.1: compare variants, not with 1.
 *
 * Range −1..1, higher is better; the summary is the mean. An empty answer has 0. Cost: one call an answer, and one pass of the embedder a
 * question. Source: Es et al. 2023 (Ragas), answer relevancy; all questions in one call instead of one call each. Unscored: `no_input`,
 * `judge_failed`, `judge_refused`, `judge_unparseable`, `missing_package`, `model_unavailable`.
 *
 * @throws UsageError for a number of questions that is not 1 to 10
 * @example
 * // cosines .9, .8 and .7 of the generated questions with the real one
 * judged.answerRelevancy({ provider: openai({ model: "gpt-4o-mini" }) }) // 0.8
 * @public
 */
export function judgedAnswerRelevancy(options: JudgedAnswerRelevancyOptions): Metric<JudgedRow> {
  checkOptions("judgedAnswerRelevancy", options)
  const { questions: count = 3 } = options
  if (!Number.isInteger(count) || count < 1 || count > 10)
    throw new UsageError(`questions must be a whole number from 1 to 10, not ${count}`, {
      where: "judgedAnswerRelevancy({ questions })",
    })
  return judgedMetric({
    figure: "judgedAnswerRelevancy",
    options,
    range: [-1, 1],
    facts: { questions: count, embedder: embedderIdentity(options) },
    replies: [reply],
    more: embedderParts(options),
    async measure([parameters = {}], sample, generation, tools) {
      const real = questionOf(sample)
      if (isUnscored(real)) return real
      if (generation.text.trim() === "") return judgedRow(0, [])
      const result = await askJson(
        {
          provider: options.provider,
          parameters,
          instructions: instructionsFor(count),
          texts: [{ title: "Answer", text: generation.text }],
          limit: options.maxCharacters ?? defaultMaxCharacters,
          purpose: "generated questions",
          codes: "judge",
          read: (said) => readQuestions(said, count),
        },
        tools,
      )
      if ("status" in result) return result
      const made = result.value
      return withEmbedder(options, tools, async (embedder) => {
        const [asked, ...vectors] = await embedTexts(embedder, [real, ...made.map(({ question }) => question)], tools)
        const cosines = vectors.map((vector) => cosineSimilarity(asked as Float32Array, vector) ?? 0)
        const isEvasive = made.every(({ noncommittal }) => noncommittal)
        return judgedRow(
          isEvasive ? 0 : mean(cosines),
          made.map(({ question, noncommittal }, i) => ({
            said: `${noncommittal ? "noncommittal, " : ""}similarity ${(cosines[i] as number).toFixed(3)}`,
            of: question,
          })),
        )
      })
    },
  })
}

function instructionsFor(count: number): string {
  return (
    `Write ${count === 1 ? "the question" : `${count} questions`} that the answer would be a full and direct reply to. ` +
    "Say of each whether the answer is noncommittal: evasive, vague, or without an answer (such as: I do not know). Reply with a JSON object: " +
    `{"questions": [{"question": "…", "noncommittal": true or false}]}, with ${count} of them.`
  )
}

interface MadeQuestion {
  readonly question: string
  readonly noncommittal: boolean
}

function readQuestions(
  said: JsonValue,
  count: number,
): { readonly value: readonly MadeQuestion[] } | { readonly problem: string } {
  const made = (objectsOf(said, "questions") ?? []).flatMap(({ question, noncommittal }): MadeQuestion[] => {
    const flag = yesOrNo(noncommittal)
    if (typeof question !== "string" || question.trim() === "" || flag === null) return []
    return [{ question: question.slice(0, maxQuestionLength), noncommittal: flag }]
  })
  return made.length === 0 ? { problem: "the reply holds no question" } : { value: made.slice(0, count) }
}
