import type { Generation } from "../../src/core/generation.ts"
import { type Metric, scored, type Unscored, unscored } from "../../src/core/metric/metric.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { type PerplexityRow, perplexityFigures, perplexityRow } from "./row.ts"

/** Perplexity of the texts that `other` lets through: exp of the mean negative log-probability over all tokens of all texts. */
export function logprobMetric(
  name: string,
  of: "text" | "answer",
  other: (generation: Generation, isGiven: boolean) => Unscored | null,
): Metric<PerplexityRow> {
  return {
    name,
    signature: signature("perplexity", { of, over: "tokens", log: "natural" }),
    direction: "lower",
    range: [1, Number.POSITIVE_INFINITY],
    unit: "score",
    aggregation: {
      kind: "sum",
      size: 2,
      vector(row, into, offset) {
        into[offset] = row.nats
        into[offset + 1] = row.tokens
      },
      score: (sum) => Math.exp((sum[0] as number) / (sum[1] as number)),
    },
    needs: { logprobs: true },
    recipe: recipe(of === "text" ? "perplexity" : "answerPerplexity", { name }),
    measure(_sample, generation) {
      const { isGivenText = false, logprobs, text } = generation
      if (logprobs === null || logprobs.length === 0) return unscored("no_logprobs")
      const refused = other(generation, isGivenText)
      if (refused) return refused
      return scored(
        perplexityRow(
          logprobs.map((token) => token.logprob),
          text,
        ),
      )
    },
    value: (row) => Math.exp(row.nats / row.tokens),
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const figures = perplexityFigures(rows.map((entry) => entry.row))
      return { value: figures.perplexity, details: { ...figures } }
    },
  }
}
