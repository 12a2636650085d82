import type { CrossEncoder } from "./cross-encoder.ts"
import type { Embedder } from "./embedder.ts"
import type { Moderator } from "./moderator.ts"
import type { TextClassifier } from "./text-classifier.ts"

/** A model or service that measuring uses without asking it for an answer. @public */
export interface UsedModel {
  readonly kind: "embedder" | "classifier" | "cross-encoder" | "moderation"
  /** Model and place, as signatures name it. */
  readonly identity: string
  /** Loads it and uses nothing: what a run does before it asks anything. Absent for services, and where it cannot be known. */
  open?(signal: AbortSignal): Promise<void>
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
  return {
    kind: "classifier",
    identity,
    ...opening(model),
    try: async (signal) => void (await model.classify(["Hi"], signal)),
  }
}

/** A cross-encoder that a metric was given. */
export function usedCrossEncoder(model: CrossEncoder): UsedModel {
  const { identity, needsSource } = model
  const item = { text: "Hi", pair: "Hi", ...(needsSource && { source: "Hi" }) }
  return {
    kind: "cross-encoder",
    identity,
    ...opening(model),
    try: async (signal) => void (await model.score([item], signal)),
  }
}

/** A model of natural language inference that a metric was given. */
export function usedEntailment(model: {
  readonly identity: string
  entailment(pairs: readonly { premise: string; hypothesis: string }[], signal: AbortSignal): Promise<unknown>
  open?(signal: AbortSignal): Promise<void>
}): UsedModel {
  return {
    kind: "classifier",
    identity: model.identity,
    ...opening(model),
    try: async (signal) => void (await model.entailment([{ premise: "Hi", hypothesis: "Hi" }], signal)),
  }
}

function opening(model: { open?(signal: AbortSignal): Promise<void> }): Pick<UsedModel, "open"> {
  return model.open ? { open: async (signal) => model.open?.(signal) } : {}
}

/** A moderation service that a metric was given. */
export function usedModerator(by: Moderator): UsedModel {
  const { identity } = by
  return { kind: "moderation", identity, try: async (signal) => void (await by.moderate(["Hi"], signal)) }
}
