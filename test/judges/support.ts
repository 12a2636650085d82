import type { Answer } from "../../src/core/generation.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { ModelRequest, Provider } from "../../src/core/provider.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"

/** A judge's endpoint whose replies a function makes; it keeps every request. */
export function fakeJudge(
  reply: (request: ModelRequest, call: number) => string | Answer,
  name = "judge-model",
): Provider & { readonly requests: ModelRequest[] } {
  const provider = fakeProvider(name, (request) => {
    const said = reply(request, provider.requests.length - 1)
    return typeof said === "string" ? fakeAnswer(said) : said
  })
  return provider
}

/** Tools whose model caller asks the provider directly: no cache, no retries. */
export function fakeTools(
  overrides: Partial<Omit<MetricTools, "valueOf">> = {},
  values: MetricTools["valueOf"] = () => undefined,
): MetricTools {
  const { signal } = new AbortController()
  return {
    signal,
    seed: 42,
    cache: { get: async () => undefined, set: async () => {} },
    models: {
      async call(provider, request) {
        const session = await provider.open(undefined as never)
        return { ...(await session.request(request, undefined as never)), replayed: false, costUsd: null }
      },
    },
    valueOf: values,
    candidateModels: [],
    ...overrides,
  }
}

/** The text of the last user message. */
export function lastUserText(request: ModelRequest): string {
  return request.messages.findLast(({ role }) => role === "user")?.content ?? ""
}

/** A verdict as JSON. */
export function says(verdict: string, reason = "because"): string {
  return JSON.stringify({ reason, verdict })
}
