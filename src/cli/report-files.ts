import { createWriteStream } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { finished } from "node:stream/promises"
import { UsageError } from "../core/errors.ts"
import type { ReportInput } from "../core/report/report.ts"
import type { ReportRenderer, WriteChunk } from "../core/report/report-renderer.ts"
import { isRunId } from "../core/run/run-id.ts"
import type { CommandIo } from "./command.ts"
import { streamWriter } from "./stream-writer.ts"

/**
 * Writes a file through a stream; its folder is made. Resolves when all is written.
 *
 * @throws UsageError when the path cannot be written: a folder, a full disk, no permission
 */
export async function writeStreamed(path: string, render: (write: WriteChunk) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true }).catch(cannotWrite(path))
  const stream = createWriteStream(path)
  const written = finished(stream).catch(cannotWrite(path))
  await Promise.race([written, render(streamWriter(stream))]).catch((error) => {
    stream.destroy()
    // Its own end says no more than the error that is thrown here.
    written.catch(() => {})
    throw error
  })
  stream.end()
  await written
}

/** What the system says of a path, in words of evalkit. */
function cannotWrite(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.syscall === undefined) throw error
    throw new UsageError("the file cannot be written", {
      code: "cannot_write",
      where: `${path} (${error.code ?? error.message})`,
      hint: "name a file in a folder that you may write to, on a disk with room",
      cause: error,
    })
  }
}

/** How a report is written into a file: not for the screen that asked for it. */
export function fileScreen({ unicode }: Pick<CommandIo, "unicode">) {
  return { columns: 100, color: false, unicode }
}

/**
 * Writes the reports of a run beside the store, as `RUN.EXTENSION`. A reader sees a whole file or none. A renderer that
 * fails leaves its file out and does not keep the others from being written.
 *
 * @returns paths in the order of the renderers, and what failed
 */
export async function writeReports(
  renderers: readonly ReportRenderer[],
  input: ReportInput,
  folder: string,
  io: Pick<CommandIo, "unicode">,
): Promise<{ readonly paths: readonly string[]; readonly failures: readonly ReportFailure[] }> {
  const { id } = input.report.run
  // Runs of older stores may come from an archive whose ids nobody had looked at.
  if (!isRunId(id)) throw new UsageError("the run's id is no name for a file", { where: `run ${id}` })
  const paths: string[] = []
  const failures: ReportFailure[] = []
  for (const renderer of renderers) {
    const path = join(folder, `${id}.${renderer.extension}`)
    const part = `${path}.part`
    try {
      await writeStreamed(part, (write) => renderer.render(input, write, fileScreen(io)))
      await rename(part, path)
      paths.push(path)
    } catch (error) {
      await rm(part, { force: true })
      failures.push({ name: renderer.name, error })
    }
  }
  return { paths, failures }
}

/** A report that could not be written. */
export interface ReportFailure {
  readonly name: string
  readonly error: unknown
}
