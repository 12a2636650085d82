import type { GenerationParameters, ModelRequest } from "../../core/provider.ts"
import { createRandom, type Random } from "../../core/random.ts"
import type { TraceEntry } from "../../perf/trace.ts"

/** How long the prompts and the answers of a synthetic load are. Counted in words, which are about a token each. */
export interface SyntheticPrompts {
  readonly seed: number
  /** Several lengths are mixed: each request draws one of them. */
  readonly promptTokens: readonly number[]
  readonly maxTokens: readonly number[]
  /** Share of each prompt that all of them begin with, 0..1: what a provider's prompt cache can serve. */
  readonly sharedPrefix: number
  /** Lengths and shared prefixes of real traffic; they replace the fixed ones where the trace has them. */
  readonly trace: readonly TraceEntry[] | null
  readonly parameters: GenerationParameters
}

/**
 * Requests with prompts of a stated length, made of common words. Each ends in words of its own, so that no cache answers
 * it whole; the first `sharedPrefix` of it (or what the trace says is shared) is the same for all.
 *
 * @param purpose a stream of its own for each use: warm-up prompts never equal measured ones
 */
export function syntheticRequests(options: SyntheticPrompts, purpose: string): (index: number) => ModelRequest {
  const { seed, trace } = options
  return (index) => {
    const entry = trace?.[index % trace.length]
    const draw = createRandom(`${seed}/lengths/${purpose}/${index}`)
    const drawn = { prompt: pick(options.promptTokens, draw), answer: pick(options.maxTokens, draw) }
    const words = Math.min(longestPrompt, Math.max(1, entry?.promptTokens ?? drawn.prompt))
    const prefix = entry?.prefix ?? "all"
    const shared = Math.min(words, Math.round(words * (entry?.prefix ? blockShare : options.sharedPrefix)))
    const head = drawWords(`${seed}/prefix/${prefix}`, shared)
    const tail = drawWords(`${seed}/${purpose}/${index}`, words - shared)
    const maxTokens = Math.max(1, entry?.outputTokens ?? drawn.answer)
    return {
      messages: [{ role: "user", content: [...head, ...tail].join(" ") }],
      parameters: { ...options.parameters, maxTokens },
    }
  }
}

/** A trace may state anything; a prompt of a million words is a mistake. */
const longestPrompt = 1e6

/** Prompts of one block chain begin alike; a trace that names only the first block says no more than that. */
const blockShare = 0.5

function pick(lengths: readonly number[], random: Random): number {
  return lengths[random.integer(lengths.length)] as number
}

function drawWords(seed: string, count: number): readonly string[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => vocabulary[random.integer(vocabulary.length)] as string)
}

const vocabulary = (
  "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one " +
  "you were her all she there would their we him been has when who will more no if out so said what up its about into " +
  "than them can only other new some could time these two may then do first any my now such like our over man me even " +
  "most made after also did many before must through years where much your way well down should because each just those " +
  "people how too little state good very make world still own see men work long get here between both life being under"
).split(" ")
