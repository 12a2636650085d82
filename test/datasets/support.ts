import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect } from "vitest"
import { UsageError } from "../../src/core/errors.ts"

/** Everything that an async stream brings. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Writes files into a folder of the test file's own, which is removed after its tests. */
export function temporaryFiles(): (name: string, content: string | Uint8Array) => Promise<string> {
  const folder = mkdtemp(join(tmpdir(), "evalkit-datasets-"))
  afterAll(async () => rm(await folder, { recursive: true, force: true }))
  return async (name, content) => {
    const path = join(await folder, name)
    await writeFile(path, content)
    return path
  }
}

/** The UsageError that some work ends in. */
export async function usageError(work: Promise<unknown>): Promise<UsageError> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(UsageError)
  return error as UsageError
}
