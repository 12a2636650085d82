import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inputText } from "../../src/core/sample.ts"
import { askJson, defaultMaxCharacters, listSchema, objectSchema, objectsOf, yesOrNo } from "./ask-json.ts"
import { type JudgedMetricOptions, type JudgedRow, judgedMetric, judgedRow } from "./judged-metric.ts"

/** Options of {@link judgedContextPrecision}. @public */
export interface JudgedContextPrecisionOptions extends JudgedMetricOptions {
  /**
   * What a passage is to be useful for: the right answer, by the `reference` (default), or the given `answer`, where there is no
   * reference.
   */
  readonly usefulFor?: "reference" | "answer"
}

const instructions =
  "For each passage, say whether it is useful for arriving at the given answer to the question: it states the answer, a part of it, " +
  "or something that the answer rests on. Being on the same subject is not enough. Reply with a JSON object: " +
  '{"verdicts": [{"passage": number, "useful": true or false}]}, one for each passage.'

const reply = {
  name: "verdicts",
  schema: listSchema("verdicts", objectSchema({ passage: { type: "integer" }, useful: { type: "boolean" } })),
} as const

/**
 * Context precision by a judge: whether the useful passages are ranked first. A model says of each passage whether it is useful for
 * arriving at the answer; the value is the average precision: the mean, over useful passages, of the share of useful ones up to
 * their rank. 0 when none is useful.
 *
 * With `usefulFor: "reference"` it rates the retrieval alone; with `"answer"` it needs no reference, but a wrong answer that rests on
 * a misleading passage makes that passage useful. {@link contextPrecision} (words in common) takes a passage for useful that repeats the
 * reference's words about something else; {@link contextRelevancy} (embeddings) prefers passages that repeat the question. Says nothing of
 * what was not found: see {@link judgedContextRecall}. Range 0..1, higher is better; the summary is the mean. Cost: one call an
 * answer. Source: Ragas' context precision, with and without reference; all passages in one call instead of one call each. Unscored:
 * `no_context`, `no_reference`, `empty_output`, `judge_failed`, `judge_refused`, `judge_unparseable`.
 *
 * @throws UsageError for another `usefulFor`
 * @example
 * // useful passages at ranks 1 and 3 of 3: (1/1 + 2/3) / 2
 * judged.contextPrecision({ provider: openai({ model: "gpt-4o-mini" }) }) // 0.8333
 * @public
 */
export function judgedContextPrecision(options: JudgedContextPrecisionOptions): Metric<JudgedRow> {
  checkOptions("judgedContextPrecision", options)
  const { usefulFor = "reference" } = options
  return judgedMetric({
    figure: "judgedContextPrecision",
    options,
    facts: { usefulFor },
    replies: [reply],
    async measure([parameters = {}], sample, generation, tools) {
      const { context } = sample
      if (context.length === 0) return unscored("no_context", "the sample has no passages")
      const answer = (usefulFor === "reference" ? sample.references[0] : generation.text) ?? ""
      if (answer.trim() === "") return unscored(usefulFor === "reference" ? "no_reference" : "empty_output")
      const result = await askJson(
        {
          provider: options.provider,
          parameters,
          instructions,
          texts: [
            { title: "Question", text: inputText(sample) },
            { title: "Answer", text: answer },
            ...context.map((text, i) => ({ title: `Passage ${i + 1}`, text })),
          ],
          limit: options.maxCharacters ?? defaultMaxCharacters,
          purpose: "useful passages",
          codes: "judge",
          read: (said) => readVerdicts(said, context.length),
        },
        tools,
      )
      if ("status" in result) return result
      const useful = result.value
      return judgedRow(
        averagePrecision(useful),
        context.map((passage, i) => ({ said: useful[i] ? "useful" : "not useful", of: passage })),
      )
    },
  })
}

/** The mean, over the ranks that hold true, of the share of true up to that rank; 0 when none does. */
function averagePrecision(useful: readonly boolean[]): number {
  let hits = 0
  let sum = 0
  for (const [rank, isUseful] of useful.entries()) if (isUseful) sum += ++hits / (rank + 1)
  return hits === 0 ? 0 : sum / hits
}

function readVerdicts(
  said: JsonValue,
  count: number,
): { readonly value: readonly boolean[] } | { readonly problem: string } {
  const verdicts = new Map<number, boolean | null>()
  for (const { passage, useful } of objectsOf(said, "verdicts") ?? []) {
    const number = Number(passage)
    const verdict = yesOrNo(useful)
    verdicts.set(number, verdicts.has(number) && verdicts.get(number) !== verdict ? null : verdict)
  }
  const inOrder = Array.from({ length: count }, (_, i) => verdicts.get(i + 1) ?? null)
  return inOrder.every((verdict) => verdict !== null)
    ? { value: inOrder }
    : { problem: `it does not say of each of the ${count} passages whether it is useful` }
}
