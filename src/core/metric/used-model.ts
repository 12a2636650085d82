import { EvalkitError } from "../errors.ts"
import type { CrossEncoder } from "./cross-encoder.ts"
import { defaultEmbedderIdentity, type Embedder } from "./embedder.ts"
import type { Moderator } from "./moderator.ts"
import type { TextClassifier } from "./text-classifier.ts"

/** How a model is made ready. @public */
export interface OpenOptions {
  /** false: only look whether the files of a model on this machine are there; nothing is loaded or fetched. Default true. */
  readonly load?: boolean
  /** What the run gives to metrics without an embedder of their own. */
  readonly defaultEmbedder?: Embedder
}

/** A model or service that measuring uses without asking it for an answer. @public */
export interface UsedModel {
  readonly kind: "embedder" | "classifier" | "cross-encoder" | "moderation"
  /** Model and place, as signatures name it. */
  readonly identity: string
  /** Loads it and uses nothing: what a run does before it asks anything. Absent for services, and where it cannot be known. */
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
  /** Uses it once, on one short text. Throws what measuring would throw. */
  try(signal: AbortSignal, options?: OpenOptions): Promise<void>
}

/** An embedder that a metric was given. */
export function usedEmbedder(embedder: Embedder): UsedModel {
  const { identity } = embedder
  return {
    kind: "embedder",
    identity,
    ...opening(embedder),
    try: async (signal) => void (await embedder.embed(["Hi"], signal)),
  }
}

/** The embedder that the run gives to metrics without one of their own. */
export const usedDefaultEmbedder: UsedModel = {
  kind: "embedder",
  identity: defaultEmbedderIdentity,
  open: async (signal, options) => fallback(options).open?.(signal, options),
  try: async (signal, options) => void (await fallback(options).embed(["Hi"], signal)),
}

function fallback({ defaultEmbedder }: OpenOptions = {}): Embedder {
  if (defaultEmbedder) return defaultEmbedder
  throw new EvalkitError("no embedder was given", { code: "no_embedder", hint: "pass one: embedder: transformers()" })
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
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
}): UsedModel {
  return {
    kind: "classifier",
    identity: model.identity,
    ...opening(model),
    try: async (signal) => void (await model.entailment([{ premise: "Hi", hypothesis: "Hi" }], signal)),
  }
}

function opening(model: { open?(signal: AbortSignal, options?: OpenOptions): Promise<void> }): Pick<UsedModel, "open"> {
  return model.open ? { open: async (signal, options) => model.open?.(signal, options) } : {}
}

/** A moderation service that a metric was given. */
export function usedModerator(by: Moderator): UsedModel {
  const { identity } = by
  return { kind: "moderation", identity, try: async (signal) => void (await by.moderate(["Hi"], signal)) }
}
