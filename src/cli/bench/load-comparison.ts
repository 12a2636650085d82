import { compareText } from "../../../reports/bench/compare.ts"
import { comparisonNotes } from "../../../reports/bench/words/comparison.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import { type BenchChange, type BenchRun, compareBenches, isWorse } from "../../perf/bench/compare-benches.ts"
import { plainText } from "../../words/text.ts"
import type { Args, CommandIo } from "../command.ts"
import { benchSide, type LoadSide } from "./bench-side.ts"
import { readBench } from "./read-bench.ts"

/** One side of a comparison: a run a file. */
export type LoadRuns = readonly LoadSide[]

/** A comparison of two loads. */
interface LoadComparison {
  readonly changes: readonly BenchChange[]
  readonly notes: readonly string[]
  /** 0: nothing is slower · 3: something is · 4: nothing could be decided, or something may be slower. */
  readonly code: number
  readonly json: JsonObject
}

/**
 * Compares two loads level by level, as `evalkit bench --compare` does. Files of one level each are compared whatever their load was called,
 * as long as all files of a side have the same.
 */
export function comparisonOf(a: LoadRuns, b: LoadRuns): LoadComparison {
  const isSingleLoad = [a, b].every(
    (runs) => runs.every(({ rows }) => rows.length === 1) && new Set(runs.map(({ rows }) => loadName(rows))).size === 1,
  )
  const rowsOf = (runs: LoadRuns) => runs.map(({ rows }) => (isSingleLoad ? rows.map(unnamed) : rows))
  const [first, second] = [rowsOf(a), rowsOf(b)]
  const changes = compareBenches(first, second)
  const own = [...a, ...b].flatMap(({ notes }) => notes)
  const notes = [...own, ...otherDefinitions([...a, ...b]), ...comparisonNotes(changes, first, second)]
  const has = (...verdicts: readonly BenchChange["verdict"][]) =>
    changes.filter(({ verdict }) => verdicts.includes(verdict))
  const isOpen =
    has("faster", "no clear difference", "below client error").length === 0 || has("single runs").some(isWorse)
  const code = has("slower").length > 0 ? ExitCode.gateFailed : isOpen ? ExitCode.inconclusive : ExitCode.ok
  const recognised = { a: toolsOf(a), b: toolsOf(b) }
  return { changes, notes, code, json: { recognised, ...comparisonJson(a, b, changes), notes: [...notes] } }
}

function toolsOf(runs: LoadRuns): string {
  return [...new Set(runs.map(({ recognised }) => recognised ?? "evalkit"))].join(", ")
}

function loadName([row]: readonly JsonObject[]): string {
  return JSON.stringify([row?.concurrency ?? null, row?.rate ?? null])
}

/** A row without the name of its load: the only one of its file. */
function unnamed(row: JsonObject): JsonObject {
  const { concurrency: _, rate: __, ...others } = row
  return { ...others, load: "one level each" }
}

/** Tools that measure differently are compared, and it is said. */
function otherDefinitions(runs: LoadRuns): readonly string[] {
  return new Set(runs.map(({ recognised }) => recognised)).size === 1
    ? []
    : [
        "the runs were measured by different clients: what a client itself takes is in its figures, and first chunks without text may count as first tokens",
      ]
}

function comparisonJson([a, ...moreA]: LoadRuns, [b, ...moreB]: LoadRuns, changes: readonly BenchChange[]): JsonObject {
  const levels = changes.map(({ level, figure, name, before, after, runs, percent, verdict, ...spread }) => ({
    level,
    figure,
    name,
    a: before,
    b: after,
    percent,
    verdict,
    ...spread,
    runs_a: runs.before,
    runs_b: runs.after,
  }))
  const isSingle = a?.rows.length === 1 && b?.rows.length === 1 && moreA.length + moreB.length === 0
  if (!isSingle) return { metrics: {}, levels }
  const [left, right] = [a.rows[0] as JsonObject, b.rows[0] as JsonObject]
  const metrics = changes.map(({ name, before, after, verdict }): [string, JsonObject] => {
    const [meanA, meanB] = [meanOf(left[name]), meanOf(right[name])]
    return [
      name,
      {
        pairs: null,
        n_a: countOf(left[name]),
        n_b: countOf(right[name]),
        mean_a: meanA,
        mean_b: meanB,
        median_a: before,
        median_b: after,
        difference: after - before,
        verdict,
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
 * Prints the comparison of two loads, each a file or a bench of the store.
 *
 * @returns the exit code; null where neither is a load
 * @throws {UsageError} where only one is
 */
export async function printLoads(names: readonly [string, string], args: Args, io: CommandIo): Promise<number | null> {
  const [a, b] = [await benchSide(names[0], args, io), await benchSide(names[1], args, io)]
  if (a && b) return printComparison([a], [b], args.json === true, io)
  if (!a && !b) return null
  throw new UsageError("a load can only be compared with a load", {
    where: plainText(a ? names[1] : names[0], 200),
    hint: "give two logs of load tools, or outputs of evalkit bench --json",
  })
}

/**
 * Prints how the runs of one side differ from those of the other.
 *
 * @returns the exit code
 */
export function printComparison(a: LoadRuns, b: LoadRuns, isJson: boolean, io: Pick<CommandIo, "out">): number {
  const { changes, notes, code, json } = comparisonOf(a, b)
  io.out(isJson ? `${JSON.stringify(json)}\n` : comparedText(changes, a, notes))
  return code
}

/** The comparison of earlier runs with what has just been measured. */
export function comparedWith(earlier: LoadRuns, now: BenchRun): string {
  const before = earlier.map(({ rows }) => rows)
  const changes = compareBenches(before, [now])
  return comparedText(changes, earlier, comparisonNotes(changes, before, [now]))
}

function comparedText(changes: readonly BenchChange[], [first, ...others]: LoadRuns, notes: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and ${others.length} more`
  return compareText(
    changes,
    `${first?.file}${more}`,
    notes.map((note) => plainText(note, 300)),
  )
}

/**
 * One side of `bench --compare`: logs of other tools, outputs of `evalkit bench --json`, or benches of the store by their ids.
 *
 * @throws {UsageError} of a name that is none of them, and where there is none
 */
export async function loadRuns(
  option: string,
  names: readonly string[],
  args: Args,
  io: Pick<CommandIo, "cwd" | "environment">,
): Promise<LoadRuns> {
  if (names.length === 0) throw new UsageError("a comparison needs a file", { where: option, hint: `${option} FILE…` })
  return Promise.all(
    names.map(
      async (file) =>
        (await benchSide(file, args, io)) ?? { file, recognised: null, rows: readBench(file, io.cwd), notes: [] },
    ),
  )
}
