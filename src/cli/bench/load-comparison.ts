import { resolve } from "node:path"
import { type BenchChange, compareBenches, compareText } from "../../../reports/bench/compare.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { ForeignTool } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import { openLoadLog } from "../../interop/load/recognise-load.ts"
import { plainText } from "../../words/text.ts"
import type { CommandIo } from "../command.ts"
import { loadRows } from "./load-rows.ts"
import { isBench, readBench } from "./read-bench.ts"

/** Levels of load of one side of a comparison. */
export interface LoadSide {
  readonly file: string
  /** Null for a bench of evalkit's own. */
  readonly recognised: ForeignTool | null
  readonly rows: readonly JsonObject[]
  readonly notes: readonly string[]
}

/** The log of a load tool, or what `evalkit bench --json` printed; null for any other file. */
export async function loadSide(file: string, io: Pick<CommandIo, "cwd">): Promise<LoadSide | null> {
  const log = await openLoadLog(resolve(io.cwd, file), file)
  if (log) {
    const { rows, skippedCount } = await loadRows(log)
    const lost = skippedCount > 0 ? [`${file}: ${skippedCount} records could not be read`] : []
    const notes = [`${file}: read as a file of ${log.name}`, ...log.notes.map((note) => `${file}: ${note}`), ...lost]
    return { file, recognised: log.tool, rows, notes }
  }
  return isBench(file, io.cwd) ? { file, recognised: null, rows: readBench(file, io.cwd), notes: [] } : null
}

/** A comparison of two loads. */
interface LoadComparison {
  readonly changes: readonly BenchChange[]
  readonly notes: readonly string[]
  /** 0: nothing is slower · 3: something is · 4: the two have no figure in common. */
  readonly code: number
  readonly json: JsonObject
}

/**
 * Compares two loads level by level, as `evalkit bench --compare` does: medians of latencies, and throughput, each with an interval. Two
 * files of one level each are compared whatever their load was called.
 */
function compareLoads(a: LoadSide, b: LoadSide): LoadComparison {
  const [first, second] = [a.rows, b.rows].map((rows) =>
    a.rows.length === 1 && b.rows.length === 1 ? rows.map(unnamed) : rows,
  )
  const changes = compareBenches(first ?? [], second ?? [])
  const notes = [...a.notes, ...b.notes, ...otherDefinitions(a, b)]
  const verdicts = new Set(changes.map(({ verdict }) => verdict))
  const isDecided = [...verdicts].some((verdict) => verdict !== "no interval" && verdict !== "other lengths")
  const code = verdicts.has("slower") ? ExitCode.gateFailed : isDecided ? ExitCode.ok : ExitCode.inconclusive
  const recognised = { a: a.recognised ?? "evalkit", b: b.recognised ?? "evalkit" }
  return { changes, notes, code, json: { recognised, ...comparisonJson(a, b, changes), notes: [...notes] } }
}

/** A row without the name of its load: the only one of its file. */
function unnamed(row: JsonObject): JsonObject {
  const { concurrency: _, rate: __, ...others } = row
  return { ...others, load: "one level each" }
}

/** Two tools that measure differently are compared, and it is said. */
function otherDefinitions(a: LoadSide, b: LoadSide): readonly string[] {
  return a.recognised === b.recognised
    ? []
    : [
        "the two were measured by different clients: what a client itself takes is in its figures, and first chunks without text may count as first tokens",
      ]
}

function comparisonJson(a: LoadSide, b: LoadSide, changes: readonly BenchChange[]): JsonObject {
  const levels = changes.map(({ level, figure, name, before, after, percent, verdict }) => ({
    ...{ level, figure, name, a: before, b: after, percent, verdict },
  }))
  if (a.rows.length !== 1 || b.rows.length !== 1) return { metrics: {}, levels }
  const [left, right] = [a.rows[0] as JsonObject, b.rows[0] as JsonObject]
  const metrics = changes.map(({ name, before, after, verdict }): [string, JsonObject] => {
    const [meanA, meanB] = [meanOf(left[name]), meanOf(right[name])]
    return [
      name,
      {
        ...{ pairs: null, n_a: countOf(left[name]), n_b: countOf(right[name]), mean_a: meanA, mean_b: meanB },
        ...{ median_a: before, median_b: after, difference: after - before, verdict },
      },
    ]
  })
  return { metrics: Object.fromEntries(metrics), levels }
}

function meanOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value
  const mean = isObject(value) ? value.mean : null
  return typeof mean === "number" ? mean : null
}

function countOf(value: JsonValue | undefined): number | null {
  const n = isObject(value) ? value.n : null
  return typeof n === "number" ? n : null
}

/**
 * Prints the comparison of two files that are both loads.
 *
 * @returns the exit code; null where neither is a load
 * @throws {UsageError} where only one is
 */
export async function printLoads(
  names: readonly [string, string],
  isJson: boolean,
  io: CommandIo,
): Promise<number | null> {
  const [a, b] = [await loadSide(names[0], io), await loadSide(names[1], io)]
  if (a && b) {
    const { changes, notes, code, json } = compareLoads(a, b)
    const words = notes.map((note) => ` ${plainText(note, 300)}\n`).join("")
    io.out(isJson ? `${JSON.stringify(json)}\n` : `${compareText(changes, names[0])}${words}`)
    return code
  }
  if (!a && !b) return null
  throw new UsageError("a load can only be compared with a load", {
    where: plainText(a ? names[1] : names[0], 200),
    hint: "give two logs of load tools, or outputs of evalkit bench --json",
  })
}
