import { type Figure, figureValue, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../../core/report/table-data.ts"
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
    data: toJson(tableData(variants, columns)),
  }
}

const columns: readonly TableColumn<ServedVariant>[] = [
  ["variant", ({ report }) => report.name],
  ...sideColumns("hit", "hits"),
  ...sideColumns("miss", "misses"),
  ["not reported", ({ serving }) => serving.promptCache.unreported],
]

function sideColumns(side: "hit" | "miss", title: string): TableColumn<ServedVariant>[] {
  const of =
    (pick: (side: PromptCacheSide) => number | Figure) =>
    ({ serving: { promptCache } }: ServedVariant): number | Figure => {
      const reason = unreportedReason(promptCache)
      return reason === null ? pick(promptCache[side]) : unknown(reason)
    }
  return [
    [title, of(({ answers }) => answers)],
    [`prompt tokens, ${title}`, of(({ promptTokens }) => promptTokens)],
    [`from the cache, ${title}`, of(({ cachedShare }) => cachedShare), "share"],
    [`first token, ${title}`, of(({ ttftMs }) => ttftMs), "ms"],
    [`$ per answer, ${title}`, of(({ costUsd }) => costUsd), "usd"],
  ]
}

function worthSentence(name: string, hit: PromptCacheSide, miss: PromptCacheSide): readonly string[] {
  const [fast, slow] = [figureValue(hit.ttftMs), figureValue(miss.ttftMs)]
  if (fast === null || slow === null) return []
  return [
    `${name}: the first token came after ${amount(fast)} ms (median of ${count(hit.answers)} hits), after ${amount(slow)} ms without the cache (${count(miss.answers)} misses).`,
  ]
}
