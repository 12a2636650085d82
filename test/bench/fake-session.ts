import type { Answer } from "evalkit"
import { type ProviderSession, type RequestOptions, systemClock, unknownUsage } from "evalkit/providers"
import { fakeAnswer, noResources } from "../support/fake-provider.ts"

/** How a fake endpoint answers: what it needs is given in milliseconds of waiting. */
export interface FakeService {
  readonly firstMs: number
  readonly intervalMs?: number
  readonly tokens?: number
  readonly outcome?: Answer["outcome"]
}

/**
 * A session without a network. It waits for the last token only; the other stamps are written as the service would have
 * made them, so that a test does not depend on timers.
 *
 * @param serve called when a request starts; what it returns decides how it is answered
 */
export function fakeSession(
  serve: (index: number, atMs: number) => FakeService | Promise<FakeService>,
): ProviderSession {
  let count = 0
  return {
    async request(request, { clock, originMs, scheduledMs, signal }: RequestOptions) {
      const sendMs = clock.now() - originMs
      const { firstMs, intervalMs = 0, tokens = 1, outcome = "ok" } = await serve(count++, sendMs)
      const endMs = sendMs + firstMs + intervalMs * (tokens - 1)
      const cancelled = await clock.sleep(originMs + endMs - clock.now(), signal).then(
        () => false,
        () => true,
      )
      const events = Array.from({ length: cancelled ? 0 : tokens }, (_, i) => ({
        atMs: sendMs + firstMs + intervalMs * i,
        kind: "content" as const,
        tokens: null,
        bytes: 4,
      }))
      return fakeAnswer("ok", cancelled ? "cancelled" : outcome, {
        finishReason: "stop",
        failure: null,
        usage: { ...unknownUsage, promptTokens: request.messages.length, completionTokens: tokens },
        log: { scheduledMs: scheduledMs - originMs, sendMs, connectMs: null, headersMs: null, events, endMs },
      })
    },
    resources: async () => noResources,
    notes: () => [],
    close: async () => {},
  }
}

/** Options that every load test shares. */
export const loadDefaults = {
  clock: systemClock,
  timeouts: { connectMs: 1000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 60_000 },
  requestOf: () => ({ messages: [{ role: "user" as const, content: "hello" }], parameters: {} }),
}
