import { accessSync, constants, createWriteStream, openSync, realpathSync, type Stats, statSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { finished } from "node:stream/promises"
import { UsageError } from "../core/errors.ts"
import { interrupted } from "../core/interruption.ts"
import type { WriteChunk } from "../core/report/report-renderer.ts"
import { makeFolder } from "./make-folder.ts"
import { asShared } from "./shared-files.ts"
import { streamWriter } from "./stream-writer.ts"

/** A file that a command writes. */
export interface OutputFile {
  write: WriteChunk
  /** Resolves when all is written; a reader sees the whole file only from here on. */
  close(): Promise<void>
  /** Ends without the file: one that was there before stays as it was. */
  discard(): Promise<void>
}

/**
 * Opens a file to write; its folder is made. What is written becomes the file when it is closed, so that nobody reads half of it. A
 * device or a pipe gets every piece at once.
 *
 * @param signal once it is aborted, writing ends with exit code 130
 * @throws UsageError when the path cannot be written: a folder, a full disk, no permission
 */
export async function openOutput(path: string, signal?: AbortSignal): Promise<OutputFile> {
  const { target, part, mode } = placeOf(path)
  // Opening a pipe waits for its reader: never at once.
  const stream = createWriteStream(part, part === target ? {} : { fd: openedAt(part, mode, path) })
  let isClosed = false
  const ended = finished(stream).catch((error) => (isClosed ? undefined : cannotWrite(path)(error)))
  // Whoever writes next hears of it.
  ended.catch(() => {})
  const writeChunk = streamWriter(stream)
  const remove = async () => {
    if (part !== target) await rm(part, { force: true }).catch(() => {})
  }
  const output: OutputFile = {
    async write(chunk) {
      if (signal?.aborted) throw interrupted(`${path} was not written`)
      await Promise.race([ended, writeChunk(chunk).catch(cannotWrite(path))])
    },
    async close() {
      stream.end()
      await ended
      if (part !== target) await rename(part, target).catch(cannotWrite(path))
    },
    async discard() {
      isClosed = true
      stream.destroy()
      await remove()
    },
  }
  return output
}

/** The file that an option names; undefined: standard output, which `-` is, too. */
export function namedOutput(option: unknown): string | undefined {
  return option === undefined || option === "-" ? undefined : String(option)
}

/** Writes a file piece by piece; see {@link openOutput}. A failure leaves what was there before. */
export async function writeOutput(
  path: string,
  render: (write: WriteChunk) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const output = await openOutput(path, signal)
  try {
    await render(output.write)
    await output.close()
  } catch (error) {
    await output.discard()
    throw error
  }
}

/**
 * Says before long or paid work that its file cannot be written; the folder is made.
 *
 * @throws UsageError as {@link openOutput}
 */
export function checkOutput(path: string): void {
  placeOf(path)
}

/** Where the pieces go, and what they become. */
function placeOf(path: string): { readonly target: string; readonly part: string; readonly mode?: number } {
  try {
    const present = statSync(path, { throwIfNoEntry: false })
    if (!present) {
      asShared(() => makeFolder(dirname(path)))
      accessSync(dirname(path), constants.W_OK)
      return { target: path, part: `${path}.part` }
    }
    if (present.isDirectory()) throw Object.assign(new Error("is a folder"), { code: "EISDIR", syscall: "open" })
    accessSync(path, constants.W_OK)
    const target = realpathSync(path)
    return present.isFile() && canReplace(target)
      ? { target, part: `${target}.part`, mode: permissions(present) }
      : { target, part: target }
  } catch (error) {
    return cannotWrite(path)(error as NodeJS.ErrnoException)
  }
}

/** A file that was there keeps its rights; a new one has those that the user's umask leaves. */
function openedAt(part: string, mode: number | undefined, path: string): number {
  try {
    return asShared(() => openSync(part, "w", mode))
  } catch (error) {
    return cannotWrite(path)(error as NodeJS.ErrnoException)
  }
}

function permissions({ mode }: Stats): number {
  return mode & 0o777
}

/** A file in a folder that cannot be written, as one that is mounted into a container, is written in its place. */
function canReplace(target: string): boolean {
  try {
    accessSync(dirname(target), constants.W_OK)
    return statSync(target).dev === statSync(dirname(target)).dev
  } catch {
    return false
  }
}

/** What the system says of a path, in words of evalkit. */
export function cannotWrite(path: string): (error: NodeJS.ErrnoException) => never {
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
