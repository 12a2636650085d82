import type { Generation } from "../core/generation.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { VariantReport } from "../core/report/report.ts"
import { costMethods, costReasons } from "../words/reasons/cost.ts"
import { otherTokenClasses } from "./token-classes.ts"

/** Tokens of one variant's answers. @experimental */
export interface TokenAccumulator {
  add(generation: Pick<Generation, "usage">): void
  figures(): VariantReport["tokens"]
  /** Cached prompt tokens / prompt tokens of the provider's prompt cache; unknown where the provider reports none. */
  promptCacheHitRate(): Figure
}

/**
 * Adds up what the endpoint reported. A count that some answers lack is the sum of those that have it, with a warning.
 * @experimental
 */
export function createTokenAccumulator(): TokenAccumulator {
  const names = ["promptTokens", "completionTokens", "cachedPromptTokens", "reasoningTokens"] as const
  const sums = new Map(names.map((name) => [name, { total: 0, reported: 0 }]))
  const others = new Map<string, { total: number; reported: number }>()
  let answers = 0
  let cached = 0
  let promptOfCached = 0
  let withCache = 0

  function figure(name: (typeof names)[number]): Figure {
    const { total, reported } = sums.get(name) ?? { total: 0, reported: 0 }
    if (reported === 0) return unknown(answers === 0 ? costReasons.noAnswer : costReasons.noTokens)
    const missing = answers - reported
    return {
      status: "known",
      value: total,
      n: reported,
      method: costMethods.reportedTokens,
      ...(missing > 0 ? { warning: costMethods.someReported(missing, answers) } : {}),
    }
  }

  const summed = ({ total, reported }: { total: number; reported: number }): Figure => ({
    status: "known",
    value: total,
    n: reported,
    method: costMethods.reportedTokens,
  })

  return {
    add({ usage }) {
      answers++
      for (const name of names) {
        const value = usage[name]
        const sum = sums.get(name)
        if (value === null || !sum) continue
        sum.total += value
        sum.reported++
      }
      for (const [part, tokens] of Object.entries(otherTokenClasses(usage))) {
        const sum = others.get(part) ?? { total: 0, reported: 0 }
        others.set(part, { total: sum.total + tokens, reported: sum.reported + 1 })
      }
      if (usage.cachedPromptTokens === null || usage.promptTokens === null) return
      cached += usage.cachedPromptTokens
      promptOfCached += usage.promptTokens
      withCache++
    },
    figures: () => ({
      prompt: figure("promptTokens"),
      completion: figure("completionTokens"),
      cachedPrompt: figure("cachedPromptTokens"),
      reasoning: figure("reasoningTokens"),
      ...(others.size > 0 && { others: Object.fromEntries([...others].map(([part, sum]) => [part, summed(sum)])) }),
    }),
    promptCacheHitRate() {
      if (promptOfCached === 0) return unknown(costReasons.noCachedTokens)
      return { status: "known", value: cached / promptOfCached, n: withCache, method: costMethods.cachedShare }
    },
  }
}
