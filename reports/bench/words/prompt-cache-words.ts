import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import {
  confirmedShare,
  type PromptCacheCheck,
  type PromptCacheRow,
  promptCacheRows,
} from "../../../src/perf/bench/prompt-cache-rows.ts"
import { count, significant } from "../../../src/words/number.ts"
import { loadWords } from "./level-words.ts"

/** Hits and misses of the prompt cache by load; empty where there were none to tell apart. */
export function cacheRows(levels: readonly BenchLevel[]): readonly PromptCacheRow[] {
  return promptCacheRows(levels, loadWords)
}

/** What a prompt cache is worth at each load, and whether the service confirms what the prompts were made for. */
export function promptCacheSentences(levels: readonly BenchLevel[]): readonly string[] {
  return [...cacheRows(levels).flatMap(worthWords), ...cacheCheckSentences(levels)]
}

/** Whether the service confirms what the prompts were made for. */
export function cacheCheckSentences(levels: readonly BenchLevel[]): readonly string[] {
  return cacheRows(levels).flatMap(({ name, level, checks }) =>
    checks.map((check) => `${name}, ${loadWords(level)}: ${checkWords(check)}`),
  )
}

function worthWords({ name, level, hit, miss }: PromptCacheRow): readonly string[] {
  if (hit.ttftMs.status === "unknown" || miss.ttftMs.status === "unknown") return []
  const paid = [hit.costUsd, miss.costUsd].map((figure) => figureValue(figure))
  const [hitUsd, missUsd] = paid
  const cost =
    hitUsd == null || missUsd == null ? "" : `; they cost $${significant(hitUsd)} and $${significant(missUsd)} each`
  return [
    `${name}, ${loadWords(level)}: the first token came after ${timeWords(hit.ttftMs)} where the prompt cache held the prompt (${count(hit.answers)} answers), after ${timeWords(miss.ttftMs)} where it did not (${count(miss.answers)})${cost}.`,
  ]
}

/** `120 ms (118 to 125)`. */
function timeWords(figure: Figure): string {
  if (figure.status === "unknown") return "an unknown time"
  const { value, low, high } = figure
  const range = low == null || high == null ? "" : ` (${significant(low)} to ${significant(high)})`
  return `${significant(value)} ms${range}`
}

function checkWords({ use, confirmed, byMetrics }: PromptCacheCheck): string {
  const meant = use === "hit" ? "prompts that the cache holds" : "prompts that the cache cannot hold"
  if (confirmed.status === "unknown") {
    const share = figureValue(byMetrics)
    return share === null
      ? `whether the ${meant} were so is unknown: ${confirmed.reason}.`
      : `of the ${meant}, ${significant(share * 100)} % of the tokens came from the cache by the server's metrics; its answers do not say.`
  }
  const { value, n } = confirmed
  const words = `${count(Math.round(value * n))} of ${count(n)} ${use === "hit" ? "hits" : "misses"} were such, as the service reports`
  return value >= confirmedShare ? `${words}.` : `only ${words}: the figures of this load are not those of a ${use}.`
}
