import type { Generation } from "../../src/core/generation.ts"
import { contentHash, type JsonValue } from "../../src/core/json.ts"
import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { counted } from "../../src/words/number.ts"
import type { EntailmentModel } from "../hallucination/entailment.ts"

/** Characters of an answer that are compared, and answers to one sample. */
const maxAnswerLength = 2_000
const maxAnswers = 50

/**
 * What `semanticEntropy`, `selfAgreement` and `distinctAnswers` compare where wording varies: the class of an answer among the
 * repeats of its sample. Two answers are of one class when each entails the other (bidirectional entailment, Farquhar et al.
 * 2024): every answer joins the first class whose first member it agrees with both ways.
 *
 * Cost: at most n(n − 1) passes of the model for n answers, made once per sample. Unscored: `no_repeats`, `not_yet`.
 *
 * @param threshold probability from which one entails the other; default 0.5
 * @example
 * semanticEntropy({ model: entailmentModel(classifier({ model: "Xenova/nli-deberta-v3-xsmall" })) })
 * @public
 */
export function entailmentClasses(
  model: EntailmentModel,
  threshold = 0.5,
): (generation: Generation, tools: MetricTools) => Promise<JsonValue | Unscored> {
  return async ({ text, repeat }, tools) => {
    const others = tools.otherAnswers?.()
    if (!others || (others.answers.length === 0 && others.awaited === 0))
      return unscored("no_repeats", "no other answer to the same sample; set repeats")
    if (others.awaited > 0)
      return unscored(
        "not_yet",
        `${counted(others.awaited, "repeat")} of the sample ${others.awaited === 1 ? "is" : "are"} not answered`,
      )
    const answers = [...others.answers, { repeat, text }].sort((a, b) => a.repeat - b.repeat).slice(0, maxAnswers)
    const texts = answers.map((answer) => answer.text.slice(0, maxAnswerLength))
    const key = contentHash({ entailmentClasses: model.identity, threshold, texts })
    const cached = await tools.cache.get(key)
    const classes = Array.isArray(cached)
      ? (cached as readonly number[])
      : await classesOf(texts, model, threshold, tools)
    if (!Array.isArray(cached)) await tools.cache.set(key, [...classes])
    const index = answers.findIndex((answer) => answer.repeat === repeat)
    return index < 0 ? unscored("too_many_repeats", `more than ${maxAnswers} answers`) : (classes[index] as number)
  }
}

/** The place of the first member of each text's class. */
async function classesOf(
  texts: readonly string[],
  model: EntailmentModel,
  threshold: number,
  { signal }: MetricTools,
): Promise<readonly number[]> {
  const classes: number[] = []
  const firsts: number[] = []
  for (const [i, text] of texts.entries()) {
    const pairs = firsts.flatMap((first) => {
      const other = texts[first] as string
      return [
        { premise: other, hypothesis: text },
        { premise: text, hypothesis: other },
      ]
    })
    const scores = pairs.length === 0 ? [] : await model.entailment(pairs, signal)
    const same = (k: number) =>
      texts[firsts[k] as number] === text ||
      ((scores[2 * k] as number) >= threshold && (scores[2 * k + 1] as number) >= threshold)
    const index = firsts.findIndex((_, k) => same(k))
    classes.push(index < 0 ? i : (firsts[index] as number))
    if (index < 0) firsts.push(i)
  }
  return classes
}
