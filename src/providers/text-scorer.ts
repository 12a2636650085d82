import { bareAnswer, unsentLog } from "../core/bare-answer.ts"
import { UsageError } from "../core/errors.ts"
import type { Answer, TokenLogprob } from "../core/generation.ts"
import { ScoringError } from "../core/given-text.ts"
import { checkOptions } from "../core/options.ts"
import type { ModelRequest, Provider, ProviderSession, ProviderTraits, RequestOptions } from "../core/provider.ts"
import { unknownUsage } from "../core/usage.ts"
import { isContextOverflow } from "../perf/context-overflow.ts"
import { checkedWindow, type ScoringWindow, scoreInWindows } from "../text/score-in-windows.ts"
import { scoreWithinContext } from "../text/score-within-context.ts"

/**
 * A provider that generates nothing: its answer to a prompt is the prompt itself, with the model's log-probability of each of
 * its tokens. A run over such variants measures the perplexity of the data set's texts (`perplexity`) and how far two
 * quantizations' token distributions lie apart on them (`divergence`), as llama.cpp's perplexity tool does; planned, stored,
 * resumed and compared like any other run.
 *
 * The prompt is scored as a text, without a chat template. One that ends with an assistant's turn is a given answer: it alone
 * is scored, after the turns before it (local models, llama.cpp's server). `topLogprobs` in the variant's parameters asks for alternatives.
 *
 * A text that is longer than the model's context is read through windows that fit, cut at the model's own tokens, each with half a window of
 * context; a note says how many texts were.
 *
 * Works with local models, vLLM, llama.cpp's server and endpoints whose `/completions` echo (`features: { echoLogprobs: true }`).
 * Opening any other throws {@link UsageError}.
 *
 * @param window words that are read at once, and by how many they move; by default what the context holds
 * @example variant({ name: "q4_0", provider: textScorer(local("model.gguf", { quantization: "Q4_0" })) })
 * @public
 */
export function textScorer(provider: Provider, window: ScoringWindow = {}): Provider {
  checkOptions("textScorer", window)
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
      if (session.scoreText) {
        const cut = { texts: 0 }
        return {
          ...session,
          request: (...call) => scoreRequest(session, checked, cut, ...call),
          notes: (parameters) => [...session.notes(parameters), ...cutNotes(cut)],
        }
      }
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
  cut: Cut,
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
    const { text, logprobs, promptTokens } = await scorePrompt(session, window, cut, request, limit)
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

/** Texts that were longer than the context. */
interface Cut {
  texts: number
}

function cutNotes({ texts }: Cut): readonly string[] {
  return texts === 0
    ? []
    : [
        `text: ${texts === 1 ? "one text was" : `${texts} texts were`} longer than the model's context: read through windows that fit, cut at the model's own tokens, with half a window of context`,
      ]
}

/** The text that was scored, its tokens, and how many tokens the model read for them (null when they were not counted). */
async function scorePrompt(
  { scoreText, scoreAnswer }: ProviderSession,
  window: ScoringWindow,
  cut: Cut,
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
  const score = async (piece: string) => {
    const tokens = (await scoreText?.(piece, signal, alternatives)) ?? []
    promptTokens += tokens.length
    return tokens
  }
  const isTooLong = (error: unknown) => error instanceof ScoringError && isContextOverflow(error)
  const logprobs =
    window.window === Number.POSITIVE_INFINITY
      ? await scoreWithinContext(text, score, isTooLong, () => cut.texts++)
      : await scoreInWindows(text, score, window)
  return { text, logprobs, promptTokens }
}

/** Texts are scored: a picture in a prompt would be left out. */
function ofWords({ media: _media, ...traits }: ProviderTraits): ProviderTraits {
  return traits
}
