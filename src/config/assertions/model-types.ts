import { defineRubric } from "../../../judges/rubric.ts"
import { rubric } from "../../../judges/rubric-judge.ts"
import { factuality } from "../../../judges/rubrics/factuality.ts"
import { gradeZeroToOne } from "../../../judges/rubrics/grade-0-to-1.ts"
import { judgedAnswerRelevancy } from "../../../metrics/judged/answer-relevancy.ts"
import { judgedContextRecall } from "../../../metrics/judged/context-recall.ts"
import { judgedContextRelevancy } from "../../../metrics/judged/context-relevancy.ts"
import { judgedFaithfulness } from "../../../metrics/judged/faithfulness.ts"
import { answerPerplexity } from "../../../metrics/perplexity/answer-perplexity.ts"
import { embeddingSimilarity } from "../../../metrics/semantic/embedding-similarity.ts"
import { type Metric, unscored } from "../../core/metric/metric.ts"
import type { Provider } from "../../core/provider.ts"
import {
  type Assertion,
  type AssertionCase,
  type AssertionType,
  asks,
  type Found,
  measured,
  textsOf,
} from "./assertion.ts"

/** A type whose judge is the grader, asked once. */
function judgedBy<Row>(
  needs: AssertionType["needs"],
  make: (provider: Provider, assertion: Assertion) => Metric<Row>,
  defaultValue: number,
): AssertionType {
  return {
    needs,
    calls: () => 1,
    holds: (assertionCase) =>
      graded(
        assertionCase,
        (provider) => make(provider, assertionCase.assertion),
        textsOf(assertionCase.assertion),
        defaultValue,
      ),
  }
}

async function graded<Row>(
  assertionCase: AssertionCase,
  make: (provider: Provider) => Metric<Row>,
  references: readonly string[],
  defaultValue: number,
): Promise<Found> {
  if (!assertionCase.grader) return unscored("no_value", "no grader is stated")
  const isEnough = (value: number, { threshold = defaultValue }: Assertion) => value >= threshold
  return measured(make(assertionCase.grader), { ...assertionCase, references }, isEnough)
}

/** A criterion of the config's own, met or not. */
const criterion: AssertionType = {
  needs: "value",
  calls: () => 1,
  holds: (assertionCase) =>
    graded(
      assertionCase,
      (provider) => rubric({ provider, rubric: ownRubric(assertionCase.assertion) }),
      assertionCase.sample.references,
      0.5,
    ),
}

function ownRubric(assertion: Assertion) {
  return defineRubric({
    name: assertion.type,
    instructions: textsOf(assertion).join("\n"),
    choices: { yes: 1, no: 0 },
  })
}

const factual = judgedBy("value", (provider) => rubric({ provider, rubric: factuality }), 0.5)

/** Types that a model decides: the grader, an encoder, or the model's own log-probabilities. */
export const modelTypes: Readonly<Record<string, AssertionType>> = {
  similar: {
    needs: "value",
    holds: asks(
      () => embeddingSimilarity(),
      (value, { threshold = 0.75 }) => value >= threshold,
    ),
  },
  perplexity: {
    needs: "threshold",
    logprobs: true,
    holds: asks(
      () => answerPerplexity(),
      (value, { threshold = 0 }) => value <= threshold,
    ),
  },
  "perplexity-score": {
    needs: "threshold",
    logprobs: true,
    holds: asks(
      () => answerPerplexity(),
      (value, { threshold = 0 }) => 1 / (1 + value) >= threshold,
    ),
  },
  "llm-rubric": criterion,
  "model-graded-closedqa": criterion,
  factuality: factual,
  "model-graded-factuality": factual,
  "g-eval": {
    needs: "value",
    calls: (assertion) => textsOf(assertion).length,
    async holds(assertionCase) {
      if (!assertionCase.grader) return unscored("no_value", "no grader is stated")
      const values: number[] = []
      for (const instructions of textsOf(assertionCase.assertion)) {
        const { choices } = gradeZeroToOne
        const own = rubric({
          provider: assertionCase.grader,
          rubric: defineRubric({ name: "g-eval", instructions, choices }),
        })
        const result = await measured(own, { ...assertionCase, references: [] }, (value) => values.push(value) > 0)
        if (typeof result === "object") return result
      }
      const sum = values.reduce((total, value) => total + value, 0)
      return sum / values.length >= (assertionCase.assertion.threshold ?? 0.7)
    },
  },
  "answer-relevance": judgedBy("nothing", (provider) => judgedAnswerRelevancy({ provider }), 0),
  "context-recall": judgedBy("value", (provider) => judgedContextRecall({ provider }), 0),
  "context-relevance": judgedBy("nothing", (provider) => judgedContextRelevancy({ provider }), 0),
  "context-faithfulness": judgedBy("nothing", (provider) => judgedFaithfulness({ provider }), 0),
}
