import { lstat, mkdtemp, rename, rm } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { UsageError } from "../../core/errors.ts"
import type { ReportInput } from "../../core/report/report.ts"
import type { FolderExport } from "../../interop/exports.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { cannotWrite, writeOutput } from "../../platform/output-file.ts"
import { asShared } from "../../platform/shared-files.ts"
import { packageVersion } from "../../platform/version.ts"
import { counted } from "../../words/number.ts"
import type { CommandIo } from "../command.ts"

/**
 * Writes the files of a format into a folder: all of them, or none where one cannot be made or the command is interrupted. Nothing is
 * written outside of the folder, also where something in it is a link to elsewhere.
 *
 * @throws {UsageError} without a folder, and where it cannot be written
 */
export async function exportFolder(
  format: FolderExport,
  input: ReportInput,
  output: string | undefined,
  io: CommandIo,
): Promise<void> {
  if (output === undefined)
    throw new UsageError(`${format.name} is a folder of files`, {
      where: `--format ${format.name}`,
      hint: "name one with --out FOLDER",
    })
  const root = resolve(io.cwd, output)
  const files = await format.files(input, { version: packageVersion(), now: new Date().toISOString() })
  for (const { name } of files) refuseName(name)
  const made = await tried(root, () => {
    asShared(() => makeFolder(root))
    return mkdtemp(join(root, ".part-"))
  })
  try {
    for (const { name, chunks } of files)
      await writeOutput(
        join(made, name),
        async (write) => {
          for await (const chunk of chunks()) await write(chunk)
        },
        io.signal,
      )
    for (const { name } of files) await refuseLinks(root, name)
    for (const { name } of files)
      await tried(join(root, name), async () => {
        asShared(() => makeFolder(dirname(join(root, name))))
        await rename(join(made, name), join(root, name))
      })
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  io.err(`evalkit: wrote ${counted(files.length, "file")} into ${output}\n`)
}

/** A fault of a format: names are made by us, of letters that are harmless everywhere. */
function refuseName(name: string): void {
  const isHarmless = name.split("/").every((part) => /^[A-Za-z0-9._-]+$/.test(part) && !/^\.+$/.test(part))
  if (!isHarmless) throw new Error(`the export names a file ${JSON.stringify(name)}`)
}

/** @throws {UsageError} where a folder on the way to the file is a link, or no folder, or the file's place is a folder */
async function refuseLinks(root: string, name: string): Promise<void> {
  const parts = name.split("/")
  for (let depth = 1; depth <= parts.length; depth++) {
    const path = join(root, ...parts.slice(0, depth))
    const stats = await lstat(path).catch(() => null)
    if (stats === null) return
    const isFine = depth === parts.length ? !stats.isDirectory() : stats.isDirectory()
    if (isFine) continue
    throw new UsageError(stats.isSymbolicLink() ? "a link is in the way" : "something else is in the way", {
      code: "cannot_write",
      where: path,
      hint: "remove it, or name another folder with --out",
    })
  }
}

async function tried<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  return (async () => act())().catch(cannotWrite(path))
}
