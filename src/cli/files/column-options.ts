import { type ColumnPair, columnPair } from "../../../datasets/columns/column-pairs.ts"
import { UsageError } from "../../core/errors.ts"
import type { Args } from "../command.ts"

/** `--map` of commands that read rows of outputs. */
export const mapOption = {
  type: "string",
  array: true,
  describe:
    "FIELD=COLUMN or COLUMN=FIELD: a file's own name of id, output, repeat, correct, references …; metrics.bleu is inside metrics",
} as const

/** `--output-column` of the same. */
export const outputColumnOption = {
  type: "string",
  describe: "column that holds the outputs (default output); the same as --map output=COLUMN",
} as const

/**
 * The fields and columns that `--map` and `--output-column` name.
 *
 * @throws {UsageError} for what is no pair
 */
export function columnPairs(args: Args): readonly ColumnPair[] {
  const pairs = ((args.map as readonly string[] | undefined) ?? []).map((pair) => columnPair(String(pair), "--map"))
  const column = args.outputColumn as string | undefined
  if (column === undefined) return pairs
  if (column === "") throw new UsageError("--output-column needs a column's name", { where: "--output-column" })
  return [outputColumn(column), ...pairs]
}

/** The column that holds the outputs. */
export function outputColumn(column: string, said = `--output-column ${column}`): ColumnPair {
  return { left: "output", right: column, isFieldFirst: true, said }
}
