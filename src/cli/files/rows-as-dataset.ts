import { resolve } from "node:path"
import { dataset } from "../../../datasets/dataset.ts"
import type { SkippedRow } from "../../core/dataset.ts"
import { UsageError } from "../../core/errors.ts"
import { mediaOf } from "../../core/media/message-parts.ts"
import type { Sample } from "../../core/sample.ts"
import { writeSamples } from "../../interop/write-dataset.ts"
import type { Redaction } from "../../text/personal-data/redaction.ts"
import type { CommandIo } from "../command.ts"

/** Whether a name is an address of the network. */
export function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name)
}

/** Whether a name is that of rows to be asked, and of no log: an address, or the YAML of a benchmark. */
export function isRows(name: string): boolean {
  return isUrl(name) || /\.ya?ml$/i.test(name)
}

/** Where rows are read from, and which of them are taken. */
export interface RowsOptions {
  readonly sample: { readonly n: number; readonly seed: number } | null
  /** Of an `eval.yaml`. */
  readonly task: string | undefined
  /** null: texts are kept as they came. */
  readonly redaction: Redaction | null
  /** Also from this machine and from private networks. */
  readonly privateAddresses: boolean
}

/** What was written. */
export interface WrittenRows {
  readonly name: string
  readonly samplesFile: string
  readonly samples: number
  readonly skipped: readonly SkippedRow[]
  readonly columns: ReadonlyMap<string, string>
}

/**
 * Writes the rows of a table, or of a task of a benchmark, as a data set in a folder: a file of this machine, or of the network, which is
 * downloaded into a temporary one.
 *
 * @throws {UsageError} for data that cannot be read, and where the folder has such a file already
 */
export async function rowsAsDataset(
  file: string,
  folder: string,
  { sample, task, redaction, privateAddresses }: RowsOptions,
  io: CommandIo,
): Promise<WrittenRows> {
  const set = dataset(file, {
    baseDirectory: io.cwd,
    onBadRow: "skip",
    limits: { privateAddresses },
    ...(task !== undefined && { task }),
    ...(sample && { sample }),
  })
  const written = await writeSamples(texts(set.samples(), file, redaction), resolve(io.cwd, folder), folder)
  return { ...written, name: set.name, skipped: set.skipped(), columns: set.columns?.() ?? new Map() }
}

/** Samples that a line can hold. */
async function* texts(
  samples: AsyncIterable<Sample>,
  file: string,
  redaction: Redaction | null,
): AsyncGenerator<Sample> {
  for await (const sample of samples) {
    if (typeof sample.input === "object" && sample.input?.some((message) => mediaOf(message).length > 0))
      throw new UsageError("samples with pictures or recordings are not copied", {
        where: `${file}: sample ${JSON.stringify(sample.id)}`,
        hint: "name the file itself in a config: dataset(FILE)",
      })
    yield redaction ? await redaction.record(sample) : sample
  }
}
