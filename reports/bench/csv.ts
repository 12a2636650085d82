import type { JsonValue } from "../../src/core/json.ts"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { type CsvCell, csvLine } from "../export/csv.ts"
import { benchJson } from "./json.ts"

/** One line for each variant and level; nested figures as `ttft_ms.p50`. An unknown figure is an empty cell. */
export function benchCsv(result: BenchResult): string {
  const rows = benchJson(result).map((row) => {
    const { over_time: _, failures_over_time: __, headline: ___, ...figures } = row
    return flatten(figures)
  })
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  return [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? null))]
    .map((cells) => csvLine(cells))
    .join("")
}

function flatten(value: JsonValue, path = "", into = new Map<string, CsvCell>()): Map<string, CsvCell> {
  if (value === null || typeof value !== "object") {
    into.set(path, typeof value === "boolean" ? String(value) : value)
    return into
  }
  for (const [name, member] of Object.entries(value)) flatten(member, path === "" ? name : `${path}.${name}`, into)
  return into
}
