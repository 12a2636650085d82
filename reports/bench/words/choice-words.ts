import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import type { Choice, Setting } from "../../../src/perf/bench/choice.ts"
import type { Slo } from "../../../src/perf/bench/slo.ts"
import { counted, significant } from "../../../src/words/number.ts"
import { bytes } from "../../../src/words/quantity.ts"
import { plainText } from "../../../src/words/text.ts"
import { figureWords, intervalWords, loadWords, rateWords, shareWords } from "./level-words.ts"

/** Which setting to take, which ones may be as cheap, and which cheaper ones were left out. */
export function choiceSentences(
  { settings, by, cheapest, ties, worse }: Choice,
  slo: readonly Slo[],
): readonly string[] {
  if (!cheapest?.capacity)
    return [
      `None of ${counted(settings.length, "setting")} keeps the objectives (${shareWords(slo)}) at a load that was measured.`,
    ]
  const { variant, capacity, perThousandUsd } = cheapest
  const rate = `${rateWords(capacity.requestsPerSecond)}${intervalWords(capacity.low, capacity.high)}`
  const usd =
    perThousandUsd.status === "known"
      ? ` and $${significant(perThousandUsd.value)} per 1,000 requests${intervalWords(perThousandUsd.low, perThousandUsd.high)}`
      : ""
  const names = (settings: readonly Setting[]) => settings.map(({ variant }) => variant).join(", ")
  return [
    by === "usd"
      ? `${variant} is the cheapest of ${counted(settings.length, "setting")} that keep the objectives (${shareWords(slo)}): ${rate}${usd}.`
      : `${variant} carries the largest load within the objectives (${shareWords(slo)}) of ${counted(settings.length, "setting")}: ${rate}. Prices are not stated for all, so the cheapest is the one that carries most.`,
    ...(ties.length > 0 ? [`By these intervals ${names(ties)} may be as cheap: measure again.`] : []),
    ...(worse.length > 0
      ? [`Cheaper, but left out because their quality is lower beyond the intervals: ${names(worse)}.`]
      : []),
  ]
}

/** Servers that did not start, each with its reason. */
export function failedStartSentences({ failedStarts }: Pick<BenchResult, "failedStarts">): readonly string[] {
  return [...(failedStarts ?? [])].map(([variant, reason]) => `${variant} did not start: ${plainText(reason, 600)}`)
}

export const choiceHeader = [
  "setting",
  "within the objectives",
  "req/s",
  "between",
  "$ per 1k",
  "TTFT p95 ms",
  "TPOT p95 ms",
  "quality",
  "memory",
] as const

/** A row a setting, in the order of {@link choiceHeader}; `*` before those on the frontier. */
export function choiceRows({ settings }: Choice): readonly (readonly string[])[] {
  return settings.map(({ variant, state, capacity, perThousandUsd, memoryBytes, isOnFrontier }) => {
    const name = `${isOnFrontier ? "* " : ""}${variant}`
    const memory = memoryBytes === null ? "unknown" : bytes(memoryBytes)
    if (!capacity) return [name, stateWords[state], "", "", "", "", "", "", state === "failed" ? "" : memory]
    const { requestsPerSecond, low, high, level } = capacity
    return [
      name,
      loadWords(level),
      significant(requestsPerSecond),
      low === null || high === null ? "unknown" : `${significant(low)} and ${significant(high)}`,
      ...[perThousandUsd, level.speed.ttftMs.p95, level.speed.tpotMs.p95, level.quality].map((figure) =>
        figureWords(figure),
      ),
      memory,
    ]
  })
}

export const choiceLegend =
  "* on the frontier: none is as good in requests, times, dollars and quality and better in one · times and quality are those at that load · intervals are those of one start of a server"

const stateWords: Readonly<Record<Setting["state"], string>> = {
  kept: "",
  beaten: "missed where another keeps them",
  missed: "missed at every load",
  unmeasured: "too few answers to say",
  failed: "did not start",
}
