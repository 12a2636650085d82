import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { startToolServers } from "../../run/episode/tool-servers.ts"

/** Whether it takes starting something to know the variant's tools. */
export function hasToolSources({ episode }: Variant): boolean {
  return (episode?.sources?.length ?? 0) > 0
}

/**
 * A variant with the tools that its sources offer, which are started for it and ended again.
 * @throws EvalkitError where they cannot be
 */
export async function withOfferedTools(variant: Variant, sample: Sample, signal: AbortSignal): Promise<Variant> {
  if (!hasToolSources(variant)) return variant
  const { evaluation, servers } = await startToolServers({ variants: [variant] }, () => sample, signal)
  await servers.closeAll()
  return evaluation.variants[0] ?? variant
}

/**
 * An evaluation whose variants have the tools that their sources offer, as its first sample finds them. The signal is asked for only where
 * something is started: a command that asks for it ends by itself, and one that only computes is to be ended by the system.
 */
export async function withAllOfferedTools(
  evaluation: Evaluation,
  io: { readonly signal: AbortSignal },
): Promise<Evaluation> {
  if (!evaluation.variants.some(hasToolSources)) return evaluation
  const { signal } = io
  for await (const sample of evaluation.dataset?.samples(signal) ?? [])
    return {
      ...evaluation,
      variants: await Promise.all(evaluation.variants.map((variant) => withOfferedTools(variant, sample, signal))),
    }
  return evaluation
}
