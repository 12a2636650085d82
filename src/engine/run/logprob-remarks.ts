import type { Variant } from "../../core/variant.ts"

/**
 * What a reader must know of speeds that were measured while log-probabilities were asked for: a server of one's own computes them for
 * every token, and decodes at about half its speed meanwhile (llama.cpp with a small model). None where none were asked for.
 */
export function logprobRemarks({ parameters, provider }: Pick<Variant, "parameters" | "provider">): readonly string[] {
  if (parameters.topLogprobs === undefined || !provider.traits?.isFreePerCall) return []
  return ["log-probabilities were asked for: they can halve a local model's decode speed"]
}
