import type { Generation } from "../core/generation.ts"
import type { Sample } from "../core/sample.ts"

/**
 * The sample as metrics measure its answer by: passages that the application retrieved stand for its context, and what else it
 * returned is in the metadata, but for names that the sample has itself: an application cannot rewrite its own answer key.
 */
export function sampleAsAnswered(sample: Sample, { returned }: Pick<Generation, "returned">): Sample {
  if (!returned) return sample
  return {
    ...sample,
    context: returned.passages ?? sample.context,
    ...(returned.passages?.length === 0 && { empty: [...(sample.empty ?? []), "context" as const] }),
    metadata: { ...returned.fields, ...sample.metadata },
  }
}
