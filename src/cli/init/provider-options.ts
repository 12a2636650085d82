import { type InitChoices, roomToThink, type Service } from "./choices.ts"

/** The options of one variant's provider. */
export function providerOptions(
  model: string,
  index: 0 | 1,
  { modelOption = "model", options, servers }: Service,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries({ ...options, [modelOption]: model, ...(servers && { baseUrl: servers[index] }) })
}

/** Tokens of an answer. Whether a model of the user's own choice thinks before it answers is not known. */
export function maxTokensOf(choices: InitChoices, service: Service): number {
  const areSuggested = choices.baseline === service.baseline && choices.candidate === service.candidate
  return areSuggested || service.factory === "local" ? service.maxTokens : roomToThink
}
