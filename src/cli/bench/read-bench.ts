import { closeSync, openSync, readFileSync, readSync } from "node:fs"
import { resolve } from "node:path"
import { UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { fileStats } from "../../platform/file-stats.ts"

/**
 * Reads what an earlier `evalkit bench --json` printed.
 *
 * @throws UsageError when the file cannot be read or is something else
 */
export function readBench(path: string, cwd: string): readonly JsonObject[] {
  try {
    const value: unknown = JSON.parse(readFileSync(resolve(cwd, path), "utf8"))
    if (Array.isArray(value) && value.every((row) => row !== null && typeof row === "object" && "ttft_ms" in row))
      return value as readonly JsonObject[]
  } catch (cause) {
    throw new UsageError("the earlier bench cannot be read", { where: path, cause })
  }
  throw new UsageError("this is not the output of evalkit bench --json", { where: path })
}

/** Whether a file begins as the output of `evalkit bench --json` does. */
export function isBench(path: string, cwd: string): boolean {
  const file = resolve(cwd, path)
  if (!fileStats(file)?.isFile()) return false
  const head = Buffer.alloc(256)
  const descriptor = openSync(file, "r")
  try {
    return /^\s*\[\s*\{\s*"variant"\s*:/.test(head.toString("utf8", 0, readSync(descriptor, head, 0, head.length, 0)))
  } finally {
    closeSync(descriptor)
  }
}
