import { UsageError } from "../core/errors.ts"
import type { Generation } from "../core/generation.ts"
import type { RunReport } from "../core/report/report.ts"
import type { HumanLabel } from "../core/report/section-judge.ts"
import type { RunEvent, RunRecord, VariantState } from "../core/run-record.ts"
import type { RunStore, StoredRow } from "../core/run-store.ts"
import type { Sample } from "../core/sample.ts"

/** One line of an archive. The first is the run; an archive holds exactly one. */
type ArchiveLine =
  | { readonly kind: "run"; readonly format: 1; readonly record: RunRecord }
  | { readonly kind: "sample"; readonly sample: Sample }
  | { readonly kind: "generation"; readonly generation: Generation }
  | { readonly kind: "row"; readonly row: StoredRow }
  | { readonly kind: "variant"; readonly name: string; readonly state: VariantState }
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "label"; readonly label: HumanLabel }
  | { readonly kind: "report"; readonly report: RunReport }

/** Everything that the store knows of a run, as JSON lines that {@link importRun} reads back. A stream. */
export function* exportRun(store: RunStore, record: RunRecord): Generator<string> {
  const line = (value: ArchiveLine): string => `${JSON.stringify(value)}\n`
  yield line({ kind: "run", format: 1, record })
  for (const sample of store.samples(record.dataset.fingerprint)) yield line({ kind: "sample", sample })
  for (const { name } of record.variants) {
    for (const generation of store.generations(record.id, name)) yield line({ kind: "generation", generation })
    for (const metric of record.metrics)
      for (const row of store.rows(record.id, name, metric.name)) yield line({ kind: "row", row })
    const state = store.variantState(record.id, name)
    if (state) yield line({ kind: "variant", name, state })
  }
  for (const event of store.events(record.id)) yield line({ kind: "event", event })
  for (const label of store.labels(record.id)) yield line({ kind: "label", label })
  const report = store.report(record.id)
  if (report) yield line({ kind: "report", report })
}

/**
 * Reads an archive into the store.
 * @param lines the archive's lines without their line feeds
 * @param where the archive's name, for messages
 * @throws {UsageError} when it is no archive, or when the store has the run already
 */
export async function importRun(store: RunStore, lines: AsyncIterable<string>, where: string): Promise<RunRecord> {
  let record: RunRecord | null = null
  let number = 0
  let samples: Sample[] = []
  let saved = 0
  const flush = (): void => {
    if (record) store.saveSamples(record.dataset.fingerprint, samples, saved)
    saved += samples.length
    samples = []
  }
  for await (const text of lines) {
    number++
    if (text.trim() === "") continue
    const line = parseLine(text, `${where}:${number}`)
    if (line.kind === "run") {
      if (record) throw notAnArchive(`${where}:${number}`, "a second run begins")
      record = line.record
      if (store.run(record.id)) {
        throw new UsageError("the store has this run already", { code: "run_exists", where: `run ${record.id}` })
      }
      store.createRun(record)
      continue
    }
    if (!record) throw notAnArchive(`${where}:${number}`, "the first line is not a run")
    if (line.kind === "sample") {
      samples.push(line.sample)
      if (samples.length === 500) flush()
    } else saveLine(store, record.id, line)
  }
  flush()
  if (!record) throw notAnArchive(where, "it is empty")
  store.setStatus(record.id, record.status, record.finishedAt)
  return record
}

function saveLine(store: RunStore, runId: string, line: Exclude<ArchiveLine, { kind: "run" | "sample" }>): void {
  if (line.kind === "generation") store.saveGeneration(runId, line.generation)
  else if (line.kind === "row") store.saveRows(runId, [line.row])
  else if (line.kind === "variant") store.saveVariantState(runId, line.name, line.state)
  else if (line.kind === "event") store.saveEvent(runId, line.event)
  else if (line.kind === "label") store.saveLabel(runId, line.label)
  else store.saveReport(runId, line.report)
}

function parseLine(text: string, where: string): ArchiveLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notAnArchive(where, "the line is not JSON", error)
  }
  const kinds = ["run", "sample", "generation", "row", "variant", "event", "label", "report"]
  if (typeof value === "object" && value !== null && "kind" in value && kinds.includes(String(value.kind))) {
    if (value.kind === "run" && (!("format" in value) || value.format !== 1)) {
      throw notAnArchive(where, "its format is of another version")
    }
    return value as ArchiveLine
  }
  throw notAnArchive(where, "the kind of the line is unknown")
}

function notAnArchive(where: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`this is not an evalkit archive: ${why}`, {
    code: "not_an_archive",
    where,
    hint: "make one with: evalkit export RUN --format archive",
    cause,
  })
}
