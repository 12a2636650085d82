import { createHash } from "node:crypto"
import { canonicalJson } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { ContentLine } from "./line.ts"

/** Hashes what an archive tells of a run, whatever the format and the order of fields that it is written in. */
export interface ContentHash {
  add(line: ContentLine): void
  digest(): string
}

/** A {@link ContentHash} of nothing yet. */
export function createContentHash(): ContentHash {
  const hash = createHash("sha256")
  return {
    add: (line) => void hash.update(`${canonicalJson(line.kind === "run" ? settled(line.record) : line)}\n`),
    digest: () => hash.digest("hex"),
  }
}

/** A run that came from another machine: nothing here works on it, and no file that it names is its config. */
export function settled(record: RunRecord): RunRecord {
  return { ...record, configPath: null, status: record.status === "running" ? "stopped" : record.status }
}
