import { resolve } from "node:path"
import type { ColumnPair } from "../../../datasets/columns/column-pairs.ts"
import { mappedRows } from "../../../datasets/columns/mapped-rows.ts"
import type { ForeignFile } from "../../analyse/source/file-source.ts"
import { UsageError } from "../../core/errors.ts"
import { refuseNearMiss } from "../../interop/near-miss.ts"
import { openForeignLog } from "../../interop/recognise.ts"
import { unpacked } from "../../interop/unpacked.ts"
import type { CommandIo } from "../command.ts"
import { outputColumn } from "../files/column-options.ts"
import { inputRows } from "../files/input-rows.ts"
import { standardInput } from "../files/lone-dash.ts"
import { pathIn } from "../files/named-file.ts"
import { rowReaders } from "../files/row-readers.ts"

/** How rows of outputs are read. */
export interface ForeignFileOptions {
  /** Fields and columns, where the files name their columns otherwise. */
  readonly columns: readonly ColumnPair[]
  /** Whether `FILE:COLUMN` names the column of the outputs, and values are kept as texts: the outputs are to be scored. */
  readonly outputs: boolean
}

/** Two files or folders that other tools wrote: logs where their format is known, else rows to be read. */
export async function foreignFiles(
  names: readonly [string, string],
  options: ForeignFileOptions,
  io: CommandIo,
): Promise<[ForeignFile, ForeignFile]> {
  if (names[0] === standardInput && names[1] === standardInput)
    throw new UsageError("standard input can be one of the two only", { where: "- -", hint: "name the other file" })
  return [await foreignFile(names[0], options, io), await foreignFile(names[1], options, io)]
}

async function foreignFile(
  name: string,
  { columns, outputs }: ForeignFileOptions,
  io: CommandIo,
): Promise<ForeignFile> {
  const source = name === standardInput ? null : pathIn(name, io)
  const log = source && (await openForeignLog(resolve(io.cwd, source.file), source.file, rowReaders))
  if (log) return { name: source.file, log, variant: source.variant }
  const variant = source?.variant ?? null
  if (variant !== null && !outputs)
    throw new UsageError("the file holds rows, no variants", {
      where: name,
      hint: `name the column to compare with --on; with --metric, ${name} means the outputs in its column ${variant}`,
    })
  const all = variant === null ? columns : [outputColumn(variant, name), ...columns]
  const file = source?.file ?? name
  const path = source ? await unpacked(resolve(io.cwd, file), file) : name
  if (source) await refuseNearMiss(path, file)
  const rows = inputRows(path === resolve(io.cwd, file) ? file : path, io, { inferTypes: !outputs })
  return { name: file, variant, rows: all.length > 0 ? mappedRows(rows, all) : rows }
}
