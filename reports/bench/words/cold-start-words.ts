import { isAnswered, isFailure } from "../../../src/core/outcome.ts"
import type { ResourceUsage } from "../../../src/core/provider.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { significant } from "../../../src/words/number.ts"
import { outcomeWords } from "../../wording/failure-reasons.ts"

/** How long a server that evalkit started took to be ready, and the first request on a fresh server and connection, which is in no figure. */
export function coldStartWords({ coldStarts, resources }: BenchResult): readonly string[] {
  return [...coldStarts].flatMap(([variant, { ttftMs, outcome, failure }]) => [
    ...startWords(variant, resources.get(variant)),
    ttftMs === null || !isAnswered(outcome)
      ? `${variant}: the first request ${isFailure(outcome) ? "failed" : "ended"}: ${outcomeWords[outcome]}${failure ? `: ${failure}` : ""}`
      : `${variant}: the cold first request took ${significant(ttftMs)} ms to its first token (not in the figures)`,
  ])
}

function startWords(variant: string, used: ResourceUsage | undefined): readonly string[] {
  if (used?.loadMs == null) return []
  const { loadMs, downloadMs, firstTokenMs } = used
  const download = downloadMs == null ? "" : ` (${significant(downloadMs)} ms of it downloading, by its log)`
  const first =
    firstTokenMs == null ? "" : `, its first request took ${significant(firstTokenMs)} ms to the first token`
  return [`${variant}: the server was ready ${significant(loadMs)} ms after its start${download}${first}`]
}
