import { createWriteStream } from "node:fs"
import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import { UsageError } from "../../core/errors.ts"
import { logsIn, ownFolderLog, trafficParts } from "../../interop/recognise.ts"
import { unpacked } from "../../interop/unpacked.ts"
import { temporaryFolder } from "../../platform/temporary-folder.ts"
import type { CommandIo } from "../command.ts"
import { standardInput } from "./lone-dash.ts"
import { pathIn } from "./named-file.ts"
import { rowReaders } from "./row-readers.ts"
import { isUrl } from "./rows-as-dataset.ts"

/** A file to be read. */
export interface LocalFile {
  /** Absolute. */
  readonly path: string
  /** As a person gave it, without the variant. */
  readonly given: string
  /** The variant that is meant, `FILE:VARIANT`; null: all. */
  readonly variant: string | null
}

/** What is piped in is written into a temporary file: a log is read several times. */
export async function localFile(given: string, io: CommandIo): Promise<LocalFile> {
  if (isUrl(given)) return { path: given, given, variant: null }
  if (given !== standardInput) {
    const found = pathIn(given, io)
    if (found) return { path: resolve(io.cwd, found.file), given: found.file, variant: found.variant }
    throw new UsageError("there is no such file", { where: given, hint: "give a path to an archive or a log" })
  }
  if (!io.input)
    throw new UsageError("nothing is piped into the command", { where: "-", hint: "cat FILE | evalkit COMMAND -" })
  const path = join(await temporaryFolder(), "stdin")
  await pipeline(io.input(), createWriteStream(path))
  return { path, given: "stdin", variant: null }
}

/** The logs of a folder that is not one log itself, as one of production is whose files are parts. */
export async function withinFolder({ path, given, variant }: LocalFile): Promise<readonly LocalFile[]> {
  if (isUrl(given)) return [{ path, given, variant }]
  const folder = await unpacked(path, given).catch(() => path)
  if (!(await stat(folder)).isDirectory()) return [{ path, given, variant }]
  const isLog = await ownFolderLog(folder, given).then(Boolean, () => true)
  const names = isLog ? [] : await logsIn(folder, rowReaders)
  if (names.length === 0 || (await trafficParts(folder, given, names, rowReaders)))
    return [{ path: folder, given, variant }]
  return names.map((name) => ({ path: join(folder, name), given: join(given, name), variant }))
}
