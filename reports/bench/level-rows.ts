import type { Figure } from "../../src/core/report/figure.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import { isVoid } from "../../src/perf/bench/load-worker.ts"
import { byWords } from "../../src/words/figure.ts"
import { count, significant } from "../../src/words/number.ts"
import { percent } from "../../src/words/percent.ts"
import { doubted } from "./words/level-words.ts"

/** What a row a level shows, in the order of {@link levelRows}. */
export const levelHeader = [
  ...["variant", "load", "answered", "TTFT p50/p99 ms", "TPOT p50 ms", "E2E p50/p99 ms", "decode t/s", "system t/s"],
  ...["req/s", "goodput/s", "in SLO", "$ per 1k"],
] as const

/** A row a level: `!` before what is void as a whole, `~` before figures that the client's own error is too large for. */
export function levelRows(levels: readonly BenchLevel[]): readonly (readonly string[])[] {
  return levels.map((level) => [
    `${isVoid(level) ? "! " : ""}${level.variant}`,
    level.plan.kind === "closed" ? count(level.plan.concurrency) : `${significant(level.offeredRate ?? Number.NaN)}/s`,
    `${count(level.answered)}/${count(level.requests)}`,
    `${doubted(level, "TTFT p50")}${cell(level.speed.ttftMs.p50)}/${doubted(level, "TTFT p99")}${cell(level.speed.ttftMs.p99)}`,
    `${doubted(level, "ITL p50")}${cell(level.speed.tpotMs.p50)}`,
    `${cell(level.speed.e2eMs.p50)}/${cell(level.speed.e2eMs.p99)}`,
    cell(level.speed.outputTokensPerSecond.p50),
    cell(level.speed.systemTokensPerSecond),
    cell(level.speed.requestsPerSecond),
    cell(level.goodput),
    `${doubted(level, "SLO limit")}${shareCell(level.sloAttainment)}`,
    cell(level.cost.perThousandUsd),
  ])
}

/** A figure in a table; `*` after one that too few values bound. */
export function cell(figure: Figure): string {
  return figure.status === "known"
    ? `${significant(figure.value)}${figure.warning ? "*" : ""}${byWords(figure)}`
    : "unknown"
}

/** A share in a table. */
export function shareCell(figure: Figure): string {
  return figure.status === "known" ? percent(figure.value) : "unknown"
}
