// What options of several factories have in common; beside their types it would be public.

import type { JsonObject } from "./json.ts"

/** What every {@link Provider} says of itself, in a config's variants and as an option. */
export const providerMembers = { kind: "text", model: "text", label: "text", endpoint: "text" } as const

/**
 * Which field of an OpenAI body asks for several answers: one is read of each request, while tokens and time of all would be counted for it.
 * Null where none does.
 */
export function severalAnswersField(body: JsonObject | undefined): string | null {
  return ["n", "best_of"].find((name) => Number(body?.[name] ?? 1) > 1) ?? null
}

/** What to do instead of asking for several answers. */
export const oneAnswerAdvice = "one answer is read of each request; to ask each sample several times, set repeats"
