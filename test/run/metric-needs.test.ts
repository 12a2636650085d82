import { describe, expect, it } from "vitest"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { answerPerplexity } from "../../metrics/perplexity/answer-perplexity.ts"
import { divergence } from "../../metrics/perplexity/divergence.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { withMetricNeeds } from "../../src/run/prepare.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"

const provider = (model: string) => fakeProvider(model, () => fakeAnswer("x"), { model })

async function asked(config: object, parameters: readonly object[] = []): Promise<(number | undefined)[]> {
  const variants = ["m", "m", "other"].map((model, i) => ({
    name: `v${i}`,
    provider: provider(model),
    parameters: parameters[i] ?? {},
  }))
  const evaluation = withMetricNeeds(await validateConfig({ variants, metrics: [exactMatch()], ...config }))
  return evaluation.variants.map((variant) => variant.parameters.topLogprobs)
}

describe("withMetricNeeds", () => {
  it("asks the variants of the baseline's model for what divergence reads, and no other", async () => {
    expect(await asked({})).toEqual([5, 5, undefined])
    expect(await asked({ pairMetrics: [divergence({ topLogprobs: 20 })] })).toEqual([20, 20, undefined])
    expect(await asked({ baseline: "v2" })).toEqual([undefined, undefined, undefined])
    expect(await asked({ pairMetrics: [] })).toEqual([undefined, undefined, undefined])
  })

  it("leaves what a variant states, unless a metric needs more", async () => {
    expect(await asked({}, [{ topLogprobs: 2 }, { topLogprobs: 0 }])).toEqual([2, 0, undefined])
    expect(await asked({ metrics: [answerPerplexity()] }, [{ topLogprobs: 2 }])).toEqual([2, 5, 0])
  })
})
