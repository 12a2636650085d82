import type { Answer, Generation } from "../../src/core/generation.ts"
import type { Outcome } from "../../src/core/outcome.ts"
import type { ModelRequest, Provider, ProviderSession, RequestOptions } from "../../src/core/provider.ts"
import { unknownUsage } from "../../src/core/usage.ts"

/** An answer with a plausible log: sent at once, one token after 10 ms, the last after 30 ms. */
export function fakeAnswer(text: string, outcome: Outcome = "ok", overrides: Partial<Answer> = {}): Answer {
  return {
    outcome,
    text,
    reasoning: "",
    toolCalls: [],
    logprobs: null,
    finishReason: outcome === "ok" ? "stop" : null,
    usage: outcome === "ok" ? { ...unknownUsage, promptTokens: 5, completionTokens: 3 } : unknownUsage,
    log: {
      scheduledMs: 0,
      sendMs: 1,
      connectMs: null,
      headersMs: 5,
      endMs: 31,
      events: [
        { atMs: 11, kind: "content", tokens: 1, bytes: 2 },
        { atMs: 21, kind: "content", tokens: 1, bytes: 2 },
        { atMs: 31, kind: "content", tokens: 1, bytes: 2 },
      ],
    },
    httpStatus: 200,
    failure: outcome === "ok" ? null : { message: outcome },
    retryAfterMs: null,
    servedModel: null,
    server: null,
    ...overrides,
  }
}

/** A measured answer of variant `a`, at an unknown cost. */
export function fakeGeneration(text: string, overrides: Partial<Generation> = {}): Generation {
  const { retryAfterMs: _, ...answer } = fakeAnswer(text)
  const call = { variant: "a", sampleId: "s0", repeat: 0, source: "measured", segment: 0, position: 0 } as const
  return { ...answer, ...call, retries: [], cost: { status: "unknown", reason: "no price" }, ...overrides }
}

/** What is known of the resources of a model that has no process. */
export const noResources = {
  ...{ peakRssBytes: null, rssOverIdleBytes: null, cpuSeconds: null, gpu: null, modelBytes: null, loadMs: null },
  reason: "a fake has no process",
}

/** A provider whose answers a function makes; it counts what it was asked. */
export function fakeProvider(
  name: string,
  answer: (request: ModelRequest, options: RequestOptions) => Answer | Promise<Answer>,
  overrides: Partial<Provider> & { open?: Provider["open"] } = {},
): Provider & { readonly requests: ModelRequest[]; readonly closed: { count: number } } {
  const requests: ModelRequest[] = []
  const closed = { count: 0 }
  const session: ProviderSession = {
    async request(request, options) {
      requests.push(request)
      return answer(request, options)
    },
    resources: async () => ({ ...noResources, modelBytes: 1234 }),
    notes: () => [],
    async close() {
      closed.count++
    },
  }
  return {
    kind: "fake",
    model: name,
    label: name,
    endpoint: name,
    identity: { fake: name },
    open: async () => session,
    ...overrides,
    requests,
    closed,
  }
}
