import { bareAnswer, unsentLog } from "../core/bare-answer.ts"
import { messageOf } from "../core/errors.ts"
import type { Answer } from "../core/generation.ts"
import type { ModelRequest, ProviderSession, RequestOptions } from "../core/provider.ts"
import { redactValue } from "../text/redact.ts"
import { redactLogprobs } from "../text/redact-logprobs.ts"
import { redactSecrets } from "../text/secrets.ts"
import { callReasons } from "../words/reasons/calls.ts"

/** How much longer than its own limit a provider may take before it counts as one that never answers, in milliseconds. */
const maxGraceMs = 10_000

/**
 * One attempt, whatever the provider does: an error that it throws, or no end long after the total limit, is an answer of
 * class `client_fault` or `timeout_total` that says so. A run never waits for a provider for ever.
 */
export async function requestSafely(
  session: ProviderSession,
  request: ModelRequest,
  options: RequestOptions,
  graceMs = maxGraceMs,
): ReturnType<ProviderSession["request"]> {
  const { clock, originMs, timeouts } = options
  const sentMs = clock.now() - originMs
  const ended = (outcome: "cancelled" | "client_fault" | "timeout_total", message: string): Answer => {
    const log = { ...unsentLog(options.scheduledMs - originMs, sentMs), endMs: clock.now() - originMs }
    return bareAnswer({ outcome, log, failure: { message } })
  }
  const limitMs = timeouts.totalMs + graceMs
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Answer>((resolve) => {
    const message = callReasons.noEnd(limitMs)
    timer = setTimeout(() => resolve(ended("timeout_total", message)), limitMs).unref()
  })
  try {
    return withoutSecrets(await Promise.race([session.request(request, options), tooLate]))
  } catch (error) {
    if (options.signal.aborted) return ended("cancelled", "interrupted")
    return ended("client_fault", redactSecrets(callReasons.providerError(messageOf(error).slice(0, 500))))
  } finally {
    clearTimeout(timer)
  }
}

/** Whatever gave the answer, a provider of the user's own too: a key that it repeats is kept and shown nowhere. */
function withoutSecrets(answer: Answer): Answer {
  const { log, logprobs, usage: _usage, ...words } = answer
  const clean = redactValue(words, redactSecrets)
  const stages = log.stages && redactValue(log.stages, redactSecrets)
  const tokens = logprobs && redactLogprobs(logprobs, redactSecrets)
  if (clean === words && stages === log.stages && tokens === logprobs) return answer
  return { ...answer, ...clean, logprobs: tokens, log: { ...log, ...(stages && { stages }) } }
}
