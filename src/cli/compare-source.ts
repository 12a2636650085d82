import { existsSync } from "node:fs"
import { basename, resolve } from "node:path"
import { readRows } from "../../datasets/read-rows.ts"
import { UsageError } from "../core/errors.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { ScoredVariant } from "../core/metric/scored-variant.ts"
import type { SequentialDesign } from "../engine/compare/anytime-estimate.ts"
import { foreignVariant } from "../engine/compare/compare-files.ts"
import { columnMetric } from "../engine/score/column-metric.ts"
import type { CommandIo } from "./command.ts"

/** What `evalkit compare` compares, wherever it came from. */
export interface CompareSource {
  readonly baseline: ScoredVariant
  readonly candidate: ScoredVariant
  readonly metrics: readonly AnyMetric[]
  /** Metrics that decide unless the command line names others. */
  readonly primary: readonly string[]
  /** Largest loss that counts as "not worse" unless the command line names another. */
  readonly margin: number
  readonly alpha: number
  readonly seed: number
  /** What a reader should know about how the sides were read. */
  readonly notes: readonly string[]
  /** Set for variants of a run that may have stopped on what it saw. */
  readonly sequential?: SequentialDesign | null
}

/** Whether a name on the command line is a file to be read rather than a run or variant of the store. */
export function isFile(name: string, io: CommandIo): boolean {
  return /\.(jsonl|ndjson|json|csv|tsv|parquet)$/i.test(name) || existsSync(resolve(io.cwd, name))
}

/** Reads two files that other tools wrote and pairs them by their ids. */
export async function fileSource(
  names: readonly [string, string],
  options: { readonly id: readonly string[]; readonly on: readonly string[]; readonly lower: readonly string[] },
  io: CommandIo,
): Promise<CompareSource> {
  const labels = basename(names[0]) === basename(names[1]) ? names : names.map((name) => basename(name))
  const [first, second] = await Promise.all(
    names.map((name, side) =>
      foreignVariant(
        labels[side] as string,
        readRows(name, { baseDirectory: io.cwd, inferTypes: true, signal: io.signal }),
        options,
      ),
    ),
  )
  if (!first || !second) throw new UsageError("two files are compared", {})
  for (const [side, { scored }] of [first, second].entries())
    if (scored.answers.length === 0)
      throw new UsageError("the file has no rows", { where: names[side] ?? "", hint: "check that it was written" })
  const shared = [...first.columns.keys()].filter((field) => second.columns.has(field))
  if (shared.length === 0)
    throw new UsageError("the files share no column of numbers", { hint: "name one with --on FIELD" })
  for (const field of options.on)
    if (!first.columns.get(field)?.known || !second.columns.get(field)?.known)
      throw new UsageError(`no row has a number or a boolean in "${field}"`, {
        where: first.columns.get(field)?.known ? names[1] : names[0],
        hint: "name another field with --on",
      })
  const metrics = shared.map((field) => {
    const rate = Boolean(first.columns.get(field)?.rate && second.columns.get(field)?.rate)
    return columnMetric(field, { rate, direction: options.lower.includes(field) ? "lower" : "higher" })
  })
  return {
    baseline: first.scored,
    candidate: second.scored,
    metrics,
    primary: options.on.length > 0 ? options.on : shared.slice(0, 1),
    margin: 0.01,
    alpha: 0.05,
    seed: 42,
    notes: [],
  }
}
