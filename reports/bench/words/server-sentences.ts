import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { levelSplit } from "../../../src/perf/bench/level-split.ts"
import { serverDisagreements } from "../../../src/perf/server/disagreements.ts"
import type { ServerWindow } from "../../../src/perf/server/server-window.ts"
import { significant } from "../../../src/words/number.ts"

/** What has to be said of a load beside the figures that its server states: where they cannot be true, and what they rest on. */
export function serverSentences(level: BenchLevel): readonly string[] {
  const { speed, serverWindow, clientError } = level
  return [
    ...serverDisagreements(speed, clientError?.ttftMsP99 ?? null),
    ...(serverWindow ? metricsWords(serverWindow) : []),
    ...(levelSplit(level)?.disagreements ?? []),
  ]
}

function metricsWords(window: ServerWindow): readonly string[] {
  const positions = window.acceptedByPosition.flatMap((figure) => figureValue(figure) ?? [])
  const tails = percentileWords(window)
  return [
    ...(tails.length > 0 ? [`${window.dialect} metrics, p99 by its histograms: ${tails.join(", ")}`] : []),
    ...(positions.length > 0
      ? [
          `${window.dialect} kept its guessed tokens by their position: ${positions.map((share) => significant(share * 100)).join(" / ")} %`,
        ]
      : []),
    ...window.warnings,
  ]
}

/** `queue between 300 and 500 ms`: a histogram says no more. */
function percentileWords({ percentiles }: ServerWindow): readonly string[] {
  const names = { queueMs: "queue", ttftMs: "TTFT", e2eMs: "whole answer" } as const
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((name) => {
    const { p99 } = percentiles[name]
    if (p99.status === "unknown") return []
    const { low = null, high = null } = p99
    return [
      `${names[name]} ${high === null ? `above ${significant(low ?? p99.value)} ms` : `between ${significant(low ?? 0)} and ${significant(high)} ms`}`,
    ]
  })
}
