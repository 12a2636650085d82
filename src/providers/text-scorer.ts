import { UsageError } from "../core/errors.ts"
import type { Answer } from "../core/generation.ts"
import { givenText, ScoringError } from "../core/given-text.ts"
import type { ModelRequest, Provider, ProviderSession, RequestOptions } from "../core/provider.ts"
import { checkedWindow, type ScoringWindow, scoreInWindows } from "../core/score-in-windows.ts"
import { unknownUsage } from "../core/usage.ts"

/**
 * A provider that generates nothing: its answer to a prompt is the prompt itself, with the model's log-probability of each of
 * its tokens. A run over such variants measures the perplexity of the data set's texts (`perplexity`) and how far two
 * quantizations' token distributions lie apart on them (`divergence`), as llama.cpp's perplexity tool does; planned, stored,
 * resumed and compared like any other run.
 *
 * Works where the provider's session has a `scoreText`: local models, vLLM and other endpoints whose `/completions` echo
 * (`features: { echoLogprobs: true }`). Opening any other throws {@link UsageError}. What is scored is the text of the
 * messages, without a chat template. `topLogprobs` in the variant's parameters asks for alternatives.
 *
 * @param window words that are read at once, and by how many they move; the whole text by default
 * @example variant({ name: "q4_0", provider: textScorer(local("model.gguf", { quantization: "Q4_0" })) })
 */
export function textScorer(provider: Provider, window: ScoringWindow = {}): Provider {
  const { kind, model, label, endpoint, quantization, exclusive, lane, price, concurrency } = provider
  const checked = checkedWindow(window)
  return {
    kind,
    model,
    label: `${label}, given texts`,
    endpoint,
    get identity() {
      return {
        scores: "given texts",
        window: window.window ?? null,
        stride: window.stride ?? null,
        by: provider.identity,
      }
    },
    ...(quantization !== undefined && { quantization }),
    ...(exclusive !== undefined && { exclusive }),
    ...(lane !== undefined && { lane }),
    ...(price !== undefined && { price }),
    ...(concurrency !== undefined && { concurrency }),
    async open(context) {
      const session = await provider.open(context)
      const { scoreText } = session
      if (scoreText) return { ...session, request: (...call) => scoreRequest(scoreText, checked, ...call) }
      await session.close()
      throw new UsageError("this endpoint cannot score given texts", {
        where: label,
        hint: "use a local model, vLLM, or an endpoint whose /completions echo log-probabilities (features.echoLogprobs)",
      })
    },
  }
}

async function scoreRequest(
  scoreText: NonNullable<ProviderSession["scoreText"]>,
  window: ScoringWindow,
  { messages, parameters }: ModelRequest,
  { clock, signal, timeouts, scheduledMs, originMs }: RequestOptions,
): Promise<Answer> {
  const text = messages.map(({ content }) => content).join("\n")
  const limit = AbortSignal.timeout(timeouts.totalMs)
  const sendMs = clock.now()
  let read = 0
  const answer = (facts: Partial<Answer>): Answer => ({
    outcome: "ok",
    text,
    reasoning: "",
    toolCalls: [],
    logprobs: null,
    finishReason: null,
    usage: unknownUsage,
    // No token was generated: there is nothing whose arrival could be stamped.
    log: {
      scheduledMs: scheduledMs - originMs,
      sendMs: sendMs - originMs,
      connectMs: null,
      headersMs: null,
      events: [],
      endMs: clock.now() - originMs,
    },
    httpStatus: null,
    failure: null,
    retryAfterMs: null,
    servedModel: null,
    server: null,
    ...facts,
  })
  try {
    const logprobs = await scoreInWindows(
      text,
      async (piece) => {
        const tokens = await scoreText(piece, AbortSignal.any([signal, limit]), parameters.topLogprobs)
        read += tokens.length
        return tokens
      },
      window,
    )
    if (text === "") return answer({ outcome: "empty" })
    const usage = { ...unknownUsage, promptTokens: read, completionTokens: 0 }
    return answer({ logprobs, finishReason: givenText, usage })
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    const outcome = error.outcome === "cancelled" && !signal.aborted ? "timeout_total" : error.outcome
    return answer({ outcome, text: "", httpStatus: error.httpStatus, failure: { message: error.message } })
  }
}
