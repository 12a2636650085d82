import { UsageError } from "../../core/errors.ts"
import { jsonValue } from "../../core/json-members.ts"

/** One request of a trace of real traffic. @experimental */
export interface TraceEntry {
  /** Milliseconds after the first request of the trace. */
  readonly atMs: number
  /** Null where the trace does not say. */
  readonly promptTokens: number | null
  readonly outputTokens: number | null
  /**
   * What the prompt begins with, in blocks of {@link traceBlockTokens}: requests with the same block have the same text
   * there. Null where the trace does not say.
   */
  readonly blocks: readonly string[] | null
}

/** Tokens of a block of a prompt, in traces that name them (Mooncake's). */
export const traceBlockTokens = 512

/**
 * Reads a trace: JSON Lines or CSV with a header. Known columns: the arrival (`t_ms`, `timestamp` in milliseconds; `t`,
 * `TIMESTAMP` as date and time), the prompt's tokens (`ctx`, `inp`, `input_length`, `ContextTokens`), the answer's
 * (`gen`, `out`, `output_length`, `GeneratedTokens`), the prompt's blocks (`hash_ids`, or only the `first_block`). These
 * are the columns of Azure's LLM inference traces and of Mooncake.
 *
 * @throws UsageError naming the line that cannot be read, or when arrivals are not in order
 * @example parseTrace('{"t_ms":0,"inp":100,"out":20}\n{"t_ms":500,"inp":80,"out":10}')[1].atMs // 500
 * @experimental
 */
export function parseTrace(text: string, where = "trace"): readonly TraceEntry[] {
  const lines = text.split(/\r?\n/)
  const header = lines[0]?.trimStart().startsWith("{") ? null : (lines[0] ?? "").split(",")
  const entries: TraceEntry[] = []
  let firstMs: number | null = null
  for (let i = header ? 1 : 0; i < lines.length; i++) {
    const line = (lines[i] as string).trim()
    if (line === "") continue
    const at = `${where}:${i + 1}`
    const row = header ? csvRow(header, line) : jsonRow(line, at)
    const arrivalMs = arrivalOf(row)
    if (arrivalMs === null) throw new UsageError("a trace row has no arrival time", { where: at, hint: "name it t_ms" })
    firstMs ??= arrivalMs
    const atMs = arrivalMs - firstMs
    if (atMs < (entries.at(-1)?.atMs ?? 0)) throw new UsageError("arrivals of a trace must ascend", { where: at })
    entries.push({
      atMs,
      promptTokens: numberOf(row, ["ctx", "inp", "input_length", "ContextTokens"]),
      outputTokens: numberOf(row, ["gen", "out", "output_length", "GeneratedTokens"]),
      blocks: blocksOf(row),
    })
  }
  if (entries.length === 0) throw new UsageError("the trace holds no request", { where })
  return entries
}

type Row = ReadonlyMap<string, unknown>

function csvRow(header: readonly string[], line: string): Row {
  const fields = line.split(",")
  return new Map(header.map((name, i) => [name.trim(), fields[i]?.trim()]))
}

function jsonRow(line: string, where: string): Row {
  const value = jsonValue(line, null)
  if (value !== null && typeof value === "object") return new Map(Object.entries(value))
  throw new UsageError("a trace row is not a JSON object", { where })
}

function numberOf(row: Row, names: readonly string[]): number | null {
  for (const name of names) {
    const value = row.get(name)
    if (value === undefined || value === null || value === "") continue
    const number = Number(value)
    if (Number.isFinite(number) && number >= 0) return number
  }
  return null
}

function arrivalOf(row: Row): number | null {
  const milliseconds = numberOf(row, ["t_ms", "timestamp"])
  if (milliseconds !== null) return milliseconds
  const text = row.get("t") ?? row.get("TIMESTAMP")
  return typeof text === "string" ? dateMs(text) : null
}

/** A date and time without a zone, to the fraction's last digit, which `Date.parse` would drop. */
function dateMs(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d+)?/.exec(text)
  if (!match) return null
  const seconds = Date.parse(`${match[1]}T${match[2]}Z`)
  return Number.isNaN(seconds) ? null : seconds + Number(match[3] ?? 0) * 1000
}

function blocksOf(row: Row): readonly string[] | null {
  const ids = row.get("hash_ids")
  if (Array.isArray(ids)) return ids.map(String)
  const first = row.get("first_block")
  return first === undefined || first === null || first === "" ? null : [String(first)]
}
