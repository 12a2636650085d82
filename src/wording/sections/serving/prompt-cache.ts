import { type Figure, figureValue } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { type PromptCacheSide, unreportedReason } from "../../../perf/prompt-cache.ts"
import { amount, count } from "../../../words/number.ts"
import type { ServedVariant } from "./served-variant.ts"

/**
 * Time to first token and cost where the service's prompt cache held the prompt, beside those where it did not. Null where no service
 * reports a hit.
 */
export function promptCacheSection(variants: readonly ServedVariant[]): ReportSection | null {
  if (variants.every(({ serving }) => serving.promptCache.hit.answers === 0)) return null
  return {
    kind: "table",
    topic: "prompt_cache",
    title: "Prompt cache: hits and misses",
    sentences: [
      ...variants.flatMap(({ report, serving }) =>
        worthSentence(report.name, serving.promptCache.hit, serving.promptCache.miss),
      ),
      "A hit is an answer of whose prompt at least half came from the service's cache, as the service reports. Hits and misses are answers to different samples: where their prompts are not equally long, that is a part of the difference. Cold starts are left out of the times.",
      ...variants.flatMap(({ report, serving }) => {
        const reason = unreportedReason(serving.promptCache)
        return reason === null ? [] : [`${report.name}: unknown, because ${reason}.`]
      }),
    ],
    data: toJson({ columns, rows: variants.map(rowOf) }),
  }
}

const columns = [
  { title: "variant" },
  { title: "hits" },
  { title: "prompt tokens, hits" },
  { title: "from the cache, hits", unit: "share" },
  { title: "first token, hits", unit: "ms" },
  { title: "$ per answer, hits", unit: "usd" },
  { title: "misses" },
  { title: "prompt tokens, misses" },
  { title: "from the cache, misses", unit: "share" },
  { title: "first token, misses", unit: "ms" },
  { title: "$ per answer, misses", unit: "usd" },
  { title: "not reported" },
]

function rowOf({ report, serving: { promptCache } }: ServedVariant): (string | number | Figure)[] {
  const reason = unreportedReason(promptCache)
  const side = ({ answers, promptTokens, cachedShare, ttftMs, costUsd }: PromptCacheSide): (number | Figure)[] =>
    [answers, promptTokens, cachedShare, ttftMs, costUsd].map((cell) =>
      reason === null ? cell : { status: "unknown" as const, reason },
    )
  return [report.name, ...side(promptCache.hit), ...side(promptCache.miss), promptCache.unreported]
}

function worthSentence(name: string, hit: PromptCacheSide, miss: PromptCacheSide): readonly string[] {
  const [fast, slow] = [figureValue(hit.ttftMs), figureValue(miss.ttftMs)]
  if (fast === null || slow === null) return []
  return [
    `${name}: the first token came after ${amount(fast)} ms (median of ${count(hit.answers)} hits), after ${amount(slow)} ms without the cache (${count(miss.answers)} misses).`,
  ]
}
