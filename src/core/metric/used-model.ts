import type { Embedder } from "./embedder.ts"
import type { Moderator } from "./moderator.ts"
import type { TextClassifier } from "./text-classifier.ts"

/** A model or service that measuring uses without asking it for an answer. @public */
export interface UsedModel {
  readonly kind: "embedder" | "classifier" | "moderation"
  /** Model and place, as signatures name it. */
  readonly identity: string
  /** Uses it once, on one short text. Throws what measuring would throw. */
  try(signal: AbortSignal): Promise<void>
}

/** An embedder that a metric was given; none for the run's own. */
export function usedEmbedder(embedder: Embedder | undefined): readonly UsedModel[] {
  if (!embedder) return []
  const { identity } = embedder
  return [{ kind: "embedder", identity, try: async (signal) => void (await embedder.embed(["Hi"], signal)) }]
}

/** A classifier that a metric was given. */
export function usedClassifier(model: TextClassifier): UsedModel {
  const { identity } = model
  return { kind: "classifier", identity, try: async (signal) => void (await model.classify(["Hi"], signal)) }
}

/** A moderation service that a metric was given. */
export function usedModerator(by: Moderator): UsedModel {
  const { identity } = by
  return { kind: "moderation", identity, try: async (signal) => void (await by.moderate(["Hi"], signal)) }
}
