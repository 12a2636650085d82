import type { JsonObject, JsonValue } from "../../core/json.ts"
import { countOf, member, numberOf, textOf } from "../fields.ts"
import type { LoadLog } from "./load-log.ts"
import { counted, statedLog } from "./summaries.ts"

const name = { tool: "locust", name: "locust", note: "evalkit bench, which measures tokens" } as const

/** Whether a text is locust's table of requests (`--csv PREFIX`: `PREFIX_stats.csv`). */
export function isLocustStats(start: string): boolean {
  return start.startsWith("Type,Name,Request Count,Failure Count")
}

/** Figures of all requests, and of each endpoint under its name. Facts: files that locust 2.47 wrote. */
export async function locustStats(text: string, file: string): Promise<LoadLog> {
  const { parse } = await import("csv-parse/sync")
  const rows: readonly Readonly<Record<string, string>>[] = parse(text, { columns: true, relax_column_count: true })
  const all = rows.find((row) => row.Name === "Aggregated")
  const figures = rows.flatMap(({ Type, Name, ...columns }) =>
    Object.entries(columns).flatMap(([column, value]): [string, number][] => {
      const figure = value.trim() === "" ? Number.NaN : Number(value)
      const path = Name === "Aggregated" ? column : `${[Type, Name].filter(Boolean).join(" ")}: ${column}`
      return Number.isFinite(figure) ? [[path.slice(-100), figure]] : []
    }),
  )
  const [requests, failed] = [Number(all?.["Request Count"]), Number(all?.["Failure Count"])]
  const level = { stated: Object.fromEntries(figures), counts: counted(requests - failed, failed) }
  return statedLog(name, [level], file)
}

/** Whether a row is one of locust's JSON (`--json`, `--json-file`): an endpoint with its response times. */
export function isLocustRow(row: JsonObject): boolean {
  return "num_requests" in row && "num_failures" in row && "response_times" in row
}

/** Endpoints, by the names that locust's table has for their figures. */
export function locustRows(rows: readonly JsonValue[], file: string): LoadLog {
  const sum = (column: string) => rows.reduce((total: number, row) => total + (numberOf(member(row, column)) ?? 0), 0)
  const figures = rows.flatMap((row) => {
    const [requests, failed, total, least, most] = [
      ...["num_requests", "num_failures", "total_response_time", "min_response_time", "max_response_time"],
    ].map((column) => numberOf(member(row, column)))
    const own: readonly (readonly [string, number | undefined])[] = [
      ["Request Count", requests],
      ["Failure Count", failed],
      ["Average Response Time", total === undefined || !requests ? undefined : total / requests],
      ["Min Response Time", least],
      ["Max Response Time", most],
    ]
    const endpoint = ["method", "name"].map((column) => textOf(member(row, column)) ?? "").join(" ")
    return own.flatMap(([figure, value]) =>
      value === undefined ? [] : [[`${endpoint}: ${figure}`.slice(-100), value] as const],
    )
  })
  const [requests, failed] = [countOf(sum("num_requests")), countOf(sum("num_failures"))]
  const counts = requests === null ? undefined : counted(requests - (failed ?? 0), failed)
  return statedLog(name, [{ stated: Object.fromEntries(figures), counts }], file)
}
