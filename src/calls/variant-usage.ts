import type { Generation } from "../core/generation.ts"
import type { Estimate } from "../cost/budget.ts"

/**
 * What the calls of an application are expected to use. It sends what it likes, so that its rendered prompt says little: after its
 * first call, each is expected to use as much as the dearest of those before it. What a single call uses beyond that is spent all
 * the same; the calls that follow are kept within what is left.
 */
export interface VariantUsage {
  /** @param rendered what the rendered prompt would use: the only guess before the first call */
  expected(rendered: Estimate): Estimate
  saw(generation: Pick<Generation, "cost" | "usage">): void
  /** Whether a call has shown what calls use. */
  isKnown(): boolean
}

/** @param before answers of earlier processes of the same run */
export function createVariantUsage(before: Iterable<Pick<Generation, "cost" | "usage">>): VariantUsage {
  let usd: number | null = null
  let tokens: number | null = null
  const saw: VariantUsage["saw"] = ({ cost, usage }) => {
    if (cost.status === "known") usd = Math.max(usd ?? 0, cost.usd)
    const { promptTokens, completionTokens } = usage
    if (promptTokens !== null && completionTokens !== null)
      tokens = Math.max(tokens ?? 0, promptTokens + completionTokens)
  }
  for (const generation of before) saw(generation)
  return {
    expected: (rendered) => ({ usd: usd ?? rendered.usd, tokens: tokens ?? rendered.tokens }),
    saw,
    isKnown: () => usd !== null || tokens !== null,
  }
}
