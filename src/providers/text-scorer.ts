import { bareAnswer, unsentLog } from "../core/bare-answer.ts"
import { UsageError } from "../core/errors.ts"
import type { Answer, TokenLogprob } from "../core/generation.ts"
import { ScoringError } from "../core/given-text.ts"
import { checkOptions } from "../core/options.ts"
import type { ModelRequest, Provider, ProviderSession, ProviderTraits, RequestOptions } from "../core/provider.ts"
import { unknownUsage } from "../core/usage.ts"
import { checkedWindow, type ScoringWindow, scoreInWindows, scoringWindow } from "../text/score-in-windows.ts"

/**
 * A provider that generates nothing: its answer to a prompt is the prompt itself, with the model's log-probability of each of
 * its tokens. A run over such variants measures the perplexity of the data set's texts (`perplexity`) and how far two
 * quantizations' token distributions lie apart on them (`divergence`), as llama.cpp's perplexity tool does; planned, stored,
 * resumed and compared like any other run.
 *
 * The prompt is scored as a text, without a chat template. One that ends with an assistant's turn is a given answer: it alone
 * is scored, after the turns before it (local models). `topLogprobs` in the variant's parameters asks for alternatives.
 *
 * Works with local models, vLLM, llama.cpp's server and endpoints whose `/completions` echo (`features: { echoLogprobs: true }`).
 * Opening any other throws {@link UsageError}.
 *
 * @param window words that are read at once, and by how many they move; the whole text by default
 * @example variant({ name: "q4_0", provider: textScorer(local("model.gguf", { quantization: "Q4_0" })) })
 * @public
 */
export function textScorer(provider: Provider, window: ScoringWindow = {}): Provider {
  checkOptions("textScorer", window, scoringWindow)
  const { kind, traits, model, label, endpoint, quantization, exclusive, lane, price, concurrency } = provider
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
    ...(traits && { traits: ofWords(traits) }),
    ...(provider.privateIdentity && { privateIdentity: () => provider.privateIdentity?.() ?? null }),
    ...(quantization !== undefined && { quantization }),
    ...(exclusive !== undefined && { exclusive }),
    ...(lane !== undefined && { lane }),
    ...(price !== undefined && { price }),
    ...(concurrency !== undefined && { concurrency }),
    async open(context) {
      const session = await provider.open(context)
      if (session.scoreText) return { ...session, request: (...call) => scoreRequest(session, checked, ...call) }
      await session.close()
      throw new UsageError("this endpoint cannot score given texts", {
        where: label,
        hint: "use a local model, vLLM, llama.cpp's server, or an endpoint whose /completions echo log-probabilities (features.echoLogprobs)",
      })
    },
  }
}

async function scoreRequest(
  session: ProviderSession,
  window: ScoringWindow,
  request: ModelRequest,
  { clock, signal, timeouts, scheduledMs, originMs }: RequestOptions,
): Promise<Answer> {
  const sendMs = clock.now()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeouts.totalMs)])
  // No token was generated: there is nothing whose arrival could be stamped.
  const answer = (facts: Pick<Answer, "outcome"> & Partial<Answer>): Answer => {
    const log = unsentLog(scheduledMs - originMs, sendMs - originMs)
    return bareAnswer({ log: { ...log, endMs: clock.now() - originMs }, ...facts })
  }
  try {
    const { text, logprobs, promptTokens } = await scorePrompt(session, window, request, limit)
    if (text === "") return answer({ outcome: "empty" })
    return answer({
      outcome: "ok",
      text,
      logprobs,
      isGivenText: true,
      usage: { ...unknownUsage, promptTokens, completionTokens: 0 },
    })
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    const outcome = error.outcome === "cancelled" && !signal.aborted ? "timeout_total" : error.outcome
    return answer({ outcome, httpStatus: error.httpStatus, failure: { message: error.message } })
  }
}

/** The text that was scored, its tokens, and how many tokens the model read for them (null when they were not counted). */
async function scorePrompt(
  { scoreText, scoreAnswer }: ProviderSession,
  window: ScoringWindow,
  { messages, parameters }: ModelRequest,
  signal: AbortSignal,
): Promise<{ text: string; logprobs: readonly TokenLogprob[]; promptTokens: number | null }> {
  const alternatives = parameters.topLogprobs
  const last = messages.at(-1)
  if (last?.role === "assistant") {
    const logprobs = await scoreAnswer?.(messages.slice(0, -1), last.content, signal, alternatives)
    if (logprobs) return { text: last.content, logprobs, promptTokens: null }
    const why = "this endpoint scores texts, but not answers after other turns"
    throw new ScoringError(why, { where: "prompt", outcome: "client_fault", httpStatus: null })
  }
  const text = messages.map(({ content }) => content).join("\n")
  let promptTokens = 0
  const logprobs = await scoreInWindows(
    text,
    async (piece) => {
      const tokens = (await scoreText?.(piece, signal, alternatives)) ?? []
      promptTokens += tokens.length
      return tokens
    },
    window,
  )
  return { text, logprobs, promptTokens }
}

/** Texts are scored: a picture in a prompt would be left out. */
function ofWords({ media: _media, ...traits }: ProviderTraits): ProviderTraits {
  return traits
}
