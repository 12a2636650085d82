import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"

/** `~` before a figure of a level that the client's own error is too large for, by its name (`TTFT p50`); else nothing. */
export function doubted({ doubtful }: Pick<BenchLevel, "doubtful">, name: string): "~" | "" {
  return doubtful.some(({ figure }) => figure === name) ? "~" : ""
}

/** What `~` means, where one of the levels has it. */
export function doubtedLegend(levels: readonly Pick<BenchLevel, "doubtful">[]): string | null {
  return levels.some(({ doubtful }) => doubtful.length > 0)
    ? "~ evalkit's own timing error is over 5 % of this figure"
    : null
}
