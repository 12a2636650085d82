import { createHash } from "node:crypto"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { terminalJson } from "../../core/terminal-json.ts"
import { archiveFormat, type ContentLine, type EndLine } from "./line.ts"

/** Everything that the store knows of a run, as JSON lines that `importRun` reads back. A stream. */
export function* exportRun(store: RunStore, record: RunRecord): Generator<string> {
  const hash = createHash("sha256")
  let lines = 0
  for (const content of contentLines(store, record)) {
    const line = `${terminalJson(content)}\n`
    hash.update(line)
    lines++
    yield line
  }
  yield `${terminalJson({ kind: "end", lines, sha256: hash.digest("hex") } satisfies EndLine)}\n`
}

/** What the store knows of a run, in the order of an archive; where its config lies is of this machine only. */
export function* contentLines(store: RunStore, record: RunRecord): Generator<ContentLine> {
  yield { kind: "run", format: archiveFormat, record: { ...record, configPath: null } }
  for (const sample of store.samples(record.dataset.fingerprint)) yield { kind: "sample", sample }
  for (const sha256 of store.mediaOf(record.dataset.fingerprint)) {
    const bytes = store.media(sha256)
    if (bytes) yield { kind: "media", sha256, base64: Buffer.from(bytes).toString("base64") }
  }
  for (const { name } of record.variants) {
    for (const generation of store.generations(record.id, name)) yield { kind: "generation", generation }
    for (const metric of record.metrics)
      for (const row of store.rows(record.id, name, metric.name)) yield { kind: "row", row }
    const state = store.variantState(record.id, name)
    if (state) yield { kind: "variant", name, state }
  }
  for (const step of store.steps(record.id)) yield { kind: "step", step }
  for (const attempt of store.attempts(record.id)) yield { kind: "attempt", attempt }
  for (const event of store.events(record.id)) yield { kind: "event", event }
  for (const label of store.labels(record.id)) yield { kind: "label", label }
  for (const call of store.modelCalls(record.id)) yield { kind: "call", call }
  const report = store.report(record.id)
  if (report) yield { kind: "report", report }
}
