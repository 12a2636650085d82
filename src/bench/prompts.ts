import { memoize } from "../core/memoize.ts"
import type { GenerationParameters, ModelRequest } from "../core/provider.ts"
import { createRandom, type Random } from "../core/random.ts"
import { type TraceEntry, traceBlockTokens } from "../perf/load/trace.ts"
import { commonWords } from "../words/reasons/bench.ts"

/** How long the prompts and the answers of a synthetic load are. Counted in words, which are about a token each. */
export interface SyntheticPrompts {
  readonly seed: number
  /** Several lengths are mixed: each request draws one of them. */
  readonly promptTokens: readonly number[]
  readonly maxTokens: readonly number[]
  /** Share of each prompt that is the same at the start of all of them, 0..1: what a provider's prompt cache can serve. */
  readonly sharedPrefix: number
  /** Lengths and shared blocks of real traffic; they replace the fixed ones where the trace has them. */
  readonly trace: readonly TraceEntry[] | null
  readonly parameters: GenerationParameters
  /** Ask for answers of exactly the wanted length (`ignore_eos`, `min_tokens`), as servers of one's own offer it. Default false. */
  readonly fixedLength?: boolean
  /** Begin each prompt with words of its own, so that no prompt cache holds its start. Default false. */
  readonly ownStart?: boolean
}

/** Words of a prompt's own start: more than a prompt cache's blocks are long. */
const ownStartWords = 16

/**
 * Requests with prompts of a stated length, made of common words. Each ends in words of its own, so that no cache answers
 * it whole; the first `sharedPrefix` of it is the same for all. Where a trace names the blocks of its prompts, equal blocks
 * are equal words and the rest is the request's own: a prompt cache finds as much as it would in the real traffic.
 *
 * @param purpose a stream of its own for each use: warm-up prompts never equal measured ones
 * @param edition other words of the same lengths: what one load sent stays in the server's prompt cache, and must not come in the next
 */
export function syntheticRequests(
  options: SyntheticPrompts,
  purpose: string,
  edition = "",
): (index: number) => ModelRequest {
  const { seed, trace } = options
  const words = `${seed}/${purpose}${edition}`
  const blockWords = memoize((name: string) => drawWords(name, traceBlockTokens))
  const prefixWords = memoize((count: number) => drawWords(`${seed}/prefix`, count))
  // Requests with the same parameters share them, so that what is known of these is found at once.
  const parametersOf = memoize(
    (maxTokens: number): GenerationParameters => ({
      ...options.parameters,
      maxTokens,
      ...(options.fixedLength && {
        extra: { ignore_eos: true, min_tokens: maxTokens, ...options.parameters.extra },
      }),
    }),
  )
  return (index) => {
    const entry = trace?.[index % trace.length]
    const { length, maxTokens } = lengthsOf(options, purpose, index)
    const start = options.ownStart ? drawWords(`${words}/start/${index}`, Math.min(ownStartWords, length)) : []
    const rest = length - start.length
    const head = entry?.blocks
      ? entry.blocks.flatMap((block) => blockWords(`${words}/block/${block}`)).slice(0, rest)
      : prefixWords(Math.min(rest, Math.round(length * options.sharedPrefix)))
    const tail = drawWords(`${words}/${index}`, rest - head.length)
    return {
      messages: [{ role: "user", content: [...start, ...head, ...tail].join(" ") }],
      parameters: parametersOf(maxTokens),
    }
  }
}

/** How long the answer to the n-th request of {@link syntheticRequests} is to be, in tokens. */
export function syntheticAnswerTokens(options: SyntheticPrompts, purpose: string): (index: number) => number {
  return (index) => lengthsOf(options, purpose, index).maxTokens
}

/** Words of the n-th prompt, and tokens of its answer. */
function lengthsOf(options: SyntheticPrompts, purpose: string, index: number) {
  const entry = options.trace?.[index % options.trace.length]
  const draw = createRandom(`${options.seed}/lengths/${purpose}/${index}`)
  const drawn = { prompt: pick(options.promptTokens, draw), answer: pick(options.maxTokens, draw) }
  return {
    length: Math.min(maxPromptLength, Math.max(1, entry?.promptTokens ?? drawn.prompt)),
    maxTokens: Math.max(1, entry?.outputTokens ?? drawn.answer),
  }
}

/** A trace may state anything; a prompt of a million words is a mistake. */
const maxPromptLength = 1e6

function pick(lengths: readonly number[], random: Random): number {
  return lengths[random.integer(lengths.length)] as number
}

function drawWords(seed: string, count: number): readonly string[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => commonWords[random.integer(commonWords.length)] as string)
}
