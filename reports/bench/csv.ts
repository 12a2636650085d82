import type { JsonValue } from "../../src/core/json.ts"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { benchJson } from "./json.ts"

/** One line for each variant and level; nested figures as `ttft_ms.p50`. An unknown figure is an empty cell. */
export function benchCsv(result: BenchResult): string {
  const rows = benchJson(result).map((row) => {
    const { over_time: _, failures_over_time: __, ...figures } = row
    return flatten(figures)
  })
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const lines = rows.map((row) => columns.map((column) => quote(row.get(column) ?? "")).join(","))
  return `${[columns.map(quote).join(","), ...lines].join("\r\n")}\r\n`
}

function flatten(value: JsonValue, path = "", into = new Map<string, string>()): Map<string, string> {
  if (value === null || typeof value !== "object") {
    into.set(path, value === null ? "" : String(value))
    return into
  }
  for (const [name, member] of Object.entries(value)) flatten(member, path === "" ? name : `${path}.${name}`, into)
  return into
}

/** RFC 4180; a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
function quote(cell: string): string {
  const safe = /^[=+@\t\r]/.test(cell) || /^-(?![\d.])/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
