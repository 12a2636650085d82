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
  readonly source: string
  /** The variant that is meant, `FILE:VARIANT`; null: all. */
  readonly variant: string | null
}

/** What is piped in is written into a temporary file: a log is read several times. */
export async function localFile(source: string, io: CommandIo): Promise<LocalFile> {
  if (isUrl(source)) return { path: source, source, variant: null }
  if (source !== standardInput) {
    const log = pathIn(source, io)
    if (log) return { path: resolve(io.cwd, log.file), source: log.file, variant: log.variant }
    throw new UsageError("there is no such file", { where: source, hint: "give a path to an archive or a log" })
  }
  if (!io.input)
    throw new UsageError("nothing is piped into the command", { where: "-", hint: "cat FILE | evalkit COMMAND -" })
  const path = join(await temporaryFolder(), "stdin")
  await pipeline(io.input(), createWriteStream(path))
  return { path, source: "stdin", variant: null }
}

/** The logs of a folder that is not one log itself, as one of production is whose files are parts. */
export async function withinFolder({ path, source, variant }: LocalFile): Promise<readonly LocalFile[]> {
  if (isUrl(source)) return [{ path, source, variant }]
  const folder = await unpacked(path, source).catch(() => path)
  if (!(await stat(folder)).isDirectory()) return [{ path, source, variant }]
  const isLog = await ownFolderLog(folder, source).then(Boolean, () => true)
  const names = isLog ? [] : await logsIn(folder, rowReaders)
  if (names.length === 0 || (await trafficParts(folder, source, names, rowReaders)))
    return [{ path: folder, source, variant }]
  return names.map((name) => ({ path: join(folder, name), source: join(source, name), variant }))
}
