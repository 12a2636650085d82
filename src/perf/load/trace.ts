import { UsageError } from "../../core/errors.ts"
import { jsonValue } from "../../core/json-members.ts"
import { memoize } from "../../core/memoize.ts"

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
 * Reads a trace: JSON Lines or CSV with a header. Upper case, blanks and `_` in a column's name do not count.
 *
 * - the arrival: `timestamp`, `time`, `t`, `arrival`, `arrival_time`, `arrived_at`, `start_time`; a date and time, or a number, whose unit the end of the
 *   name states (`t_ms`, `t_s`). Else a number since 1970 has the unit that its size tells, fractions are seconds, so are BurstGPT's and
 *   Vidur's whole numbers, and other whole numbers are milliseconds (Mooncake's).
 * - the prompt's tokens: `input_length`, `ContextTokens`, `Request tokens`, `num_prefill_tokens`, `prompt_tokens`, `ctx`, `inp`
 * - the answer's: `output_length`, `GeneratedTokens`, `Response tokens`, `num_decode_tokens`, `completion_tokens`, `gen`, `out`
 * - the prompt's blocks: `hash_ids`, or only the `first_block`
 *
 * These are the columns of Azure's LLM inference traces, of BurstGPT, of Mooncake and of Vidur.
 *
 * @throws UsageError naming the line that cannot be read, or when arrivals are not in order
 * @example parseTrace('{"t_ms":0,"inp":100,"out":20}\n{"t_ms":500,"inp":80,"out":10}')[1].atMs // 500
 * @experimental
 */
export function parseTrace(text: string, where = "trace"): readonly TraceEntry[] {
  const lines = text.split(/\r?\n/)
  const header = lines[0]?.trimStart().startsWith("{") ? null : (lines[0] ?? "").split(",")
  const rows: (Row & { readonly at: string })[] = []
  for (let i = header ? 1 : 0; i < lines.length; i++) {
    const line = (lines[i] as string).trim()
    if (line === "") continue
    const at = `${where}:${i + 1}`
    rows.push({ at, ...readRow(header ? csvMembers(header, line) : jsonMembers(line, at), at) })
  }
  const [first] = rows
  if (!first) throw new UsageError("the trace holds no request", { where })
  const unitMs = first.unitMs ?? guessedUnitMs(rows.map(({ arrival }) => arrival))
  let latestMs = 0
  return rows.map(({ arrival, at, promptTokens, outputTokens, blocks }) => {
    const atMs = (arrival - first.arrival) * unitMs
    if (atMs < latestMs) throw new UsageError("arrivals of a trace must ascend", { where: at })
    latestMs = atMs
    return { atMs, promptTokens, outputTokens, blocks }
  })
}

interface Row extends Omit<TraceEntry, "atMs"> {
  readonly arrival: number
  /** Milliseconds of the arrival's unit; null where the column's name does not state it. */
  readonly unitMs: number | null
}

/** By lower-case name, with `_` for blanks. */
const columns = {
  arrival: ["timestamp", "time", "t", "arrival", "arrival_time", "arrived_at", "start_time"],
  promptTokens: [
    ...["ctx", "inp", "input_length", "input_tokens", "prompt_tokens", "contexttokens", "context_tokens"],
    ...["request_tokens", "num_prefill_tokens"],
  ],
  outputTokens: [
    ...["gen", "out", "output_length", "output_tokens", "completion_tokens", "generatedtokens", "generated_tokens"],
    ...["response_tokens", "num_decode_tokens"],
  ],
  blocks: ["hash_ids"],
  firstBlock: ["first_block"],
} as const

const unitsMs: ReadonlyMap<string | undefined, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["sec", 1000],
  ["seconds", 1000],
])

/** What a column holds, by its name, and the unit that the name states. */
const columnOf = memoize((name: string) => {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")
  const [, base = plain, unit] = /^(.+)_(ms|s|sec|seconds)$/.exec(plain) ?? []
  // Seconds without saying so: Vidur's, and BurstGPT's beside its own names of tokens.
  const unitMs = base === "arrived_at" ? 1000 : (unitsMs.get(unit) ?? null)
  const kinds = Object.keys(columns) as (keyof typeof columns)[]
  const kind = kinds.find((entry) => (columns[entry] as readonly string[]).includes(entry === "arrival" ? base : plain))
  return { kind, unitMs, isBurst: plain === "request_tokens" }
})

type Members = readonly (readonly [name: string, value: unknown])[]

function csvMembers(header: readonly string[], line: string): Members {
  const fields = line.split(",")
  return header.map((name, i) => [name, fields[i]?.trim()])
}

function jsonMembers(line: string, where: string): Members {
  const value = jsonValue(line, null)
  if (value !== null && typeof value === "object") return Object.entries(value)
  throw new UsageError("a trace row is not a JSON object", { where })
}

function readRow(members: Members, where: string): Row {
  let [arrival, unitMs, isBurst]: [number | null, number | null, boolean] = [null, null, false]
  const row: { promptTokens: number | null; outputTokens: number | null; blocks: readonly string[] | null } = {
    promptTokens: null,
    outputTokens: null,
    blocks: null,
  }
  for (const [name, value] of members) {
    if (value === undefined || value === null || value === "") continue
    const column = columnOf(name)
    isBurst ||= column.isBurst
    if (column.kind === "promptTokens" || column.kind === "outputTokens") row[column.kind] ??= numberOf(value)
    else if (column.kind === "blocks" && Array.isArray(value)) row.blocks = value.map(String)
    else if (column.kind === "firstBlock") row.blocks ??= [String(value)]
    else if (column.kind === "arrival" && (arrival === null || (unitMs === null && column.unitMs !== null))) {
      const number = numberOf(value)
      arrival = number ?? (typeof value === "string" ? dateMs(value) : null)
      unitMs = number === null ? 1 : column.unitMs
    }
  }
  if (arrival !== null) return { ...row, arrival, unitMs: unitMs ?? (isBurst ? 1000 : null) }
  throw new UsageError("a trace row has no arrival time", {
    where,
    hint: "name its column t_ms where it counts milliseconds, t_s where seconds; evalkit explain trace names the columns",
  })
}

function numberOf(value: unknown): number | null {
  const number = Number(value)
  return Number.isFinite(number) && number >= 0 ? number : null
}

/** Times since 1970 by their size; fractions are seconds, whole numbers milliseconds. */
function guessedUnitMs(arrivals: readonly number[]): number {
  const first = arrivals[0] as number
  if (first >= 1e9) return first >= 1e17 ? 1e-6 : first >= 1e14 ? 1e-3 : first >= 1e11 ? 1 : 1000
  return arrivals.every(Number.isInteger) ? 1 : 1000
}

/** A date and time without a zone, to the fraction's last digit, which `Date.parse` would drop. */
function dateMs(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d+)?/.exec(text)
  if (!match) return null
  const seconds = Date.parse(`${match[1]}T${match[2]}Z`)
  return Number.isNaN(seconds) ? null : seconds + Number(match[3] ?? 0) * 1000
}
