import type { Answer } from "../core/generation.ts"
import { contentHash } from "../core/json.ts"
import { withoutData } from "../core/media/message-parts.ts"
import { isAnswered } from "../core/outcome.ts"
import type { ModelRequest } from "../core/provider.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { type Variant, variantFingerprint } from "../core/variant.ts"
import { privateFingerprint } from "./private-fingerprint.ts"

/** Answers of identical requests, kept in the store across runs. */
export interface ResponseCache {
  find(variant: Variant, request: ModelRequest, repeat: number): Answer | null
  keep(variant: Variant, request: ModelRequest, repeat: number, answer: Answer): void
}

/**
 * Keyed by everything that changes an answer: provider identity (with a keyed hash of what of it is private), parameters, tools, messages, and the repeat's number
 * (so that repeats at a temperature stay independent). Only answers are kept, never failures.
 */
export function createResponseCache(
  store: RunStore,
  privateOf = ({ provider }: Variant): string | null => privateFingerprint(provider, store),
): ResponseCache {
  const keyOf = (variant: Variant, request: ModelRequest, repeat: number): string =>
    contentHash({
      variant: variantFingerprint(variant),
      private: privateOf(variant) ?? undefined,
      request: { ...request, messages: withoutData(request.messages) },
      repeat,
    })
  return {
    find(variant, request, repeat) {
      return store.cachedAnswer(keyOf(variant, request, repeat))
    },
    keep(variant, request, repeat, answer) {
      if (isAnswered(answer.outcome)) store.saveCachedAnswer(keyOf(variant, request, repeat), answer)
    },
  }
}

/** Answers nothing and keeps nothing. */
export const noResponseCache: ResponseCache = { find: () => null, keep: () => {} }
