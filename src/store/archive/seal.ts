import { createHash } from "node:crypto"
import { archiveFaults } from "../../words/reasons/archive.ts"
import { type EndLine, notAnArchive } from "./line.ts"

/** Counts and hashes the lines of an archive, and compares them with its end mark. */
export interface Seal {
  /** A line before the end mark, without its line feed. */
  add(text: string): void
  /** @throws {UsageError} when lines are missing, or are not those that were written */
  check(end: EndLine, where: string): void
}

/** A {@link Seal} of no lines yet. */
export function createSeal(): Seal {
  const hash = createHash("sha256")
  let lines = 0
  return {
    add(text) {
      hash.update(`${text}\n`)
      lines++
    },
    check(end, where) {
      if (end.lines !== lines) throw notAnArchive(where, archiveFaults.lineCount(lines, end.lines))
      if (end.sha256 !== hash.digest("hex")) throw notAnArchive(where, archiveFaults.changedLines)
    },
  }
}
