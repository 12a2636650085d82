import { type Clock, systemClock } from "../../src/core/clock.ts"
import type { Answer } from "../../src/core/generation.ts"
import type {
  GenerationParameters,
  OpenContext,
  ProviderSession,
  RequestOptions,
  Timeouts,
} from "../../src/core/provider.ts"

/** Generous limits for a test on loopback. */
export const testTimeouts: Timeouts = { connectMs: 5_000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 25_000 }

/** What a provider is opened with in tests. */
export function testContext(environment: Readonly<Record<string, string | undefined>> = {}): OpenContext {
  return {
    clock: systemClock,
    signal: new AbortController().signal,
    environment,
    cacheDirectory: "/nonexistent",
    progress: () => {},
  }
}

/** Asks one question; `options` replace what is sent by default. */
export function ask(
  session: ProviderSession,
  options: Partial<RequestOptions> & { readonly parameters?: GenerationParameters; readonly content?: string } = {},
): Promise<Answer> {
  const { parameters = {}, content = "Hi", ...rest } = options
  const clock: Clock = options.clock ?? systemClock
  const nowMs = clock.now()
  return session.request(
    { messages: [{ role: "user", content }], parameters },
    {
      signal: new AbortController().signal,
      timeouts: testTimeouts,
      clock,
      originMs: nowMs,
      scheduledMs: nowMs,
      ...rest,
    },
  )
}
