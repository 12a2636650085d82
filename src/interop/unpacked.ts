import { createReadStream, createWriteStream } from "node:fs"
import { stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { messageOf, UsageError } from "../core/errors.ts"
import { closing } from "../platform/closing.ts"
import { makeFolder } from "../platform/make-folder.ts"
import { temporaryFolder } from "../platform/temporary-folder.ts"
import { boundedBytes, maxUnpackedBytes, tooLongUnpacked } from "../platform/unpacked-bytes.ts"
import { firstBytes } from "./beginning.ts"
import { isInspectZip } from "./inspect/inspect.ts"
import { openZip } from "./zip-file.ts"
import { zstdDecompress } from "./zstandard.ts"

/** However long an archive is, what is unpacked of it goes into a temporary folder. */
const maxBytes = 2 * 2 ** 30
/** Files of an archive that are unpacked. */
const maxFiles = 10_000

/** What was unpacked, by path, time and size: a file is looked at by several readers. */
const cache = new Map<string, Promise<string>>()

/**
 * A file as it can be read: gzip, Zstandard and zip archives are unpacked into a temporary folder, texts in UTF-16 written there in UTF-8. An archive that is itself a log (Inspect's)
 * is left as it is.
 *
 * @param path absolute
 * @param file the path as a person gave it, for messages
 * @returns the path itself where nothing is packed; of an archive of several files the folder
 * @throws {UsageError} for archives that are damaged or too long
 */
export async function unpacked(path: string, file: string): Promise<string> {
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile() || stats.size === 0) return path
  const head = (await firstBytes(path)).subarray(0, 4).toString("hex")
  const unpack = unpackers.find(([start]) => head.startsWith(start))?.[1]
  if (!unpack) return path
  const key = `${path}:${stats.mtimeMs}:${stats.size}`
  const made = cache.get(key) ?? unpack(path, file)
  cache.set(key, made)
  return made
}

type Unpack = (path: string, file: string) => Promise<string>

/** By the bytes that a file begins with. */
const unpackers: readonly (readonly [start: string, unpack: Unpack])[] = [
  ["1f8b", gunzip],
  ["28b52ffd", unzstd],
  ["504b0304", unzip],
  ["fffe", inUtf8("utf-16le")],
  ["feff", inUtf8("utf-16be")],
]

/** A text in two bytes a character, as PowerShell writes one. */
function inUtf8(encoding: "utf-16le" | "utf-16be"): Unpack {
  return (path, file) =>
    written((to) => pipeline(createReadStream(path), (bytes) => decoded(bytes, encoding), to), path, file)
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function gunzip(path: string, file: string): Promise<string> {
  return written(
    (to, max) => pipeline(createReadStream(path), createGunzip(), (all) => boundedBytes(all, max), to),
    path,
    file,
  )
}

async function unzstd(path: string, file: string): Promise<string> {
  return written((to, max) => pipeline(boundedBytes(zstdDecompress(createReadStream(path)), max), to), path, file)
}

/** @param unpack begins only when it is called: a stream that fails before anybody listens would end the process */
async function written(
  unpack: (to: Writable, max: number) => Promise<void>,
  path: string,
  file: string,
): Promise<string> {
  const to = join(await temporaryFolder(), basename(path).replace(/\.(?:gz|zst|zstd)$/i, "") || "log")
  try {
    await unpack(createWriteStream(to), Math.min(maxBytes, maxUnpackedBytes((await stat(path)).size)))
  } catch (error) {
    throw damaged(file, messageOf(error), error)
  }
  return to
}

async function unzip(path: string, file: string): Promise<string> {
  return closing(await openZip(path, file), async (zip) => {
    const names = zip.names.filter((name) => !name.endsWith("/") && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name))
    if (isInspectZip(names) || names.includes("[Content_Types].xml")) return path
    if (names.length > maxFiles) throw damaged(file, `it holds ${names.length} files, and at most ${maxFiles} are read`)
    const folder = await temporaryFolder()
    let length = 0
    for (const name of names) {
      const bytes = await zip.bytes(name)
      length += bytes.length
      if (length > maxBytes) throw damaged(file, tooLongUnpacked(maxBytes).message)
      // The reader of archives refuses names that lead out of the folder.
      const to = join(folder, name)
      makeFolder(dirname(to))
      await writeFile(to, bytes)
    }
    return names.length === 1 ? join(folder, names[0] as string) : folder
  })
}

function damaged(where: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`the archive cannot be unpacked: ${why}`, { code: "bad_file", where, cause })
}
