import type { Generation } from "../core/generation.ts"
import { isAnswered } from "../core/outcome.ts"
import { isFinish } from "../core/run/finish-reason.ts"
import type { Variant } from "../core/variant.ts"
import { answerLatency, hasLatency, isColdLatency } from "../perf/answer-latency.ts"
import { type AnswerLengths, createAnswerLengths } from "../perf/answer-lengths.ts"
import { createPromptCacheSplit, type PromptCacheSplit } from "../perf/prompt-cache.ts"

/** How a variant was served, of its answers: what its prompt cache did, how long they were, how long the first one took. */
export interface ServingFigures {
  readonly promptCache: PromptCacheSplit
  readonly lengths: AnswerLengths
  /** Milliseconds to the first token of its first request that met a service which may have been cold; null: none was timed. */
  readonly firstRequestMs: number | null
  /** Output tokens of the timed answers, and the milliseconds that they took, all together. */
  readonly written: { readonly tokens: number; readonly milliseconds: number; readonly answers: number }
}

/** Collects {@link ServingFigures} from all generations of a variant. */
export function createServingFigures({ parameters }: Pick<Variant, "parameters">, alpha: number) {
  const promptCache = createPromptCacheSplit(alpha)
  const lengths = createAnswerLengths(parameters.extra?.ignore_eos === true, alpha)
  const askedTokens = parameters.maxTokens ?? null
  const written = { tokens: 0, milliseconds: 0, answers: 0 }
  let first: { readonly atMs: number; readonly ttftMs: number } | null = null
  return {
    add(generation: Generation): void {
      promptCache.add(generation)
      const { outcome, usage, log, source } = generation
      const { completionTokens } = usage
      if (isAnswered(outcome) && source !== "foreign")
        lengths.add({ outcome, completionTokens, askedTokens, isEndUnstated: !isFinish(generation.finishReason) })
      const { ttftMs, e2eMs } = answerLatency(generation)
      if (isColdLatency(generation) && ttftMs !== null && (first === null || log.sendMs < first.atMs))
        first = { atMs: log.sendMs, ttftMs }
      if (!hasLatency(generation) || generation.episode || completionTokens === null || !e2eMs) return
      written.tokens += completionTokens
      written.milliseconds += e2eMs
      written.answers++
    },
    figures: (): ServingFigures => ({
      promptCache: promptCache.figures(),
      lengths: lengths.figures(),
      firstRequestMs: first?.ttftMs ?? null,
      written,
    }),
  }
}
