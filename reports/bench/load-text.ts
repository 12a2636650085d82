import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import { significant } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { stackedTables } from "../terminal/text-table.ts"

/** Figures that a load tool states itself, shown of a file that holds nothing else. */
const maxStated = 20

/** Levels of load that another tool measured, as a table: medians and 99th percentiles, by evalkit's definitions; `?` is not known. */
export function loadText(rows: readonly JsonObject[], width = Number.POSITIVE_INFINITY): string {
  const measured = rows.filter((row) => row.requests !== null)
  const table =
    measured.length === 0
      ? ""
      : `${stackedTables(
          ["model", "load", "answered", "TTFT p50/p99", "TPOT p50", "ITL p50", "E2E p50/p99", "tokens/s", "req/s"],
          measured.map((row) => [
            plainText(String(row.variant), 40),
            typeof row.concurrency === "number" ? `${row.concurrency} in flight` : `${cell(row.rate)} req/s`,
            `${row.ok} of ${row.requests}`,
            `${cell(at(row.ttft_ms, "p50"))}/${cell(at(row.ttft_ms, "p99"))}`,
            cell(at(row.tpot_ms, "p50")),
            cell(at(row.itl_ms, "p50")),
            `${cell(at(row.e2e_ms, "p50"))}/${cell(at(row.e2e_ms, "p99"))}`,
            cell(row.system_tps),
            cell(row.requests_per_second),
          ]),
          width,
        ).join("\n")}\n`
  return (
    table +
    rows
      .filter((row) => row.requests === null)
      .map(statedText)
      .join("")
  )
}

function statedText({ stated }: JsonObject): string {
  const figures = isObject(stated) ? Object.entries(stated) : []
  return figures
    .slice(0, maxStated)
    .map(([name, value]) => `  ${plainText(name, 80)}: ${cell(value)}\n`)
    .join("")
}

function at(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined
}

function cell(value: JsonValue | undefined): string {
  return typeof value === "number" ? significant(value) : "?"
}
