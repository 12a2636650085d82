import { createHash } from "node:crypto"
import { EvalkitError, messageOf, UsageError } from "../../core/errors.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import type { RunEvent, RunRecord } from "../../core/run/run-record.ts"
import type { CallKey, RunStore } from "../../core/run/run-store.ts"
import { archiveFaults } from "../../words/reasons/archive.ts"
import { withKnownSections } from "../report-codec.ts"
import { createSampleCheck, type SampleCheck } from "./check-samples.ts"
import { createContentHash } from "./content-hash.ts"
import { contentLines } from "./export-run.ts"
import { type ContentLine, type EndLine, notAnArchive, readLine } from "./line.ts"
import { createLineWriter, type LineWriter } from "./line-writer.ts"

/** What an archive brought. */
export interface ImportedRun {
  readonly record: RunRecord
  /** False: the store had the same run already, with the same content, and was left as it was. */
  readonly isNew: boolean
}

/** What of an archive the store itself does not understand. */
export interface ImportChecks {
  /** Why a report cannot be shown, beginning with the field; null when it can. */
  report?(report: RunReport): string | null
  /** Why an event of a load test cannot be shown; null when it can, and for every other event. */
  event?(event: RunEvent): string | null
  /** Whether a section's data is what its kind says; one that is not is kept, and shown as plain JSON. */
  section?(section: ReportSection): boolean
}

/**
 * Reads an archive into the store: all of it, or nothing where it ends with an error.
 *
 * @param lines the archive's lines without their line feeds
 * @param where the archive's name, for messages
 * @throws {UsageError} `not_an_archive` with file, line and field; `run_exists` when the store has another run of this id;
 *   `samples_differ` when it has other samples under the same fingerprint
 */
export function importRun(
  store: RunStore,
  lines: AsyncIterable<string>,
  where: string,
  checks: ImportChecks = {},
): Promise<ImportedRun> {
  return store.atomically(async () => {
    const reader = readRun(store, where, checks)
    let number = 0
    for await (const text of lines) {
      number++
      if (text.trim() === "") continue
      reader.line(text, `${where}:${number}`)
    }
    return reader.finish(`${where}:${Math.max(1, number)}`)
  })
}

/** Takes the lines of an archive in their order. */
function readRun(store: RunStore, where: string, checks: ImportChecks) {
  let run: OpenRun | null = null
  let isEnded = false
  const seal = createSeal()
  return {
    line(text: string, position: string): void {
      const line = withSections(readLine(text, position), checks)
      if (isEnded) throw notAnArchive(position, archiveFaults.afterEnd)
      if (line.kind === "end") {
        seal.check(line, position)
        isEnded = true
        return
      }
      seal.add(text)
      if (line.kind === "run") {
        if (run) throw notAnArchive(position, "a second run begins")
        run = openRun(store, line.record)
      } else if (!run) throw notAnArchive(position, archiveFaults.noRun)
      checkLine(run, line, position, checks)
      run.hash?.add(line)
      run.writer?.write(line, position)
    },
    finish(position: string): ImportedRun {
      if (!run) throw notAnArchive(where, "it is empty")
      if (!isEnded) throw notAnArchive(position, archiveFaults.noEnd)
      run.samples.finish(position)
      const isNew = run.writer !== null
      if (run.writer) {
        storing(position, run.writer.finish)
        checkStored(store, run.record, position)
      }
      if (run.hash && run.hash.digest() !== hashOfStored(store, run.record)) throw exists(run.record)
      return { record: store.run(run.record.id) ?? run.record, isNew }
    },
  }
}

function withSections<L extends ReturnType<typeof readLine>>(line: L, { section }: ImportChecks): L {
  if (line.kind !== "report" || !section) return line
  return { ...line, report: withKnownSections(line.report, section) }
}

interface OpenRun {
  readonly record: RunRecord
  readonly variants: ReadonlySet<string>
  readonly samples: SampleCheck
  /** Null where the store has the run: then the two are only compared. */
  readonly writer: LineWriter | null
  /** What the two are compared by; null where there is nothing to compare. */
  readonly hash: ReturnType<typeof createContentHash> | null
}

function openRun(store: RunStore, record: RunRecord): OpenRun {
  const writer = store.run(record.id) ? null : createLineWriter(store, record)
  return {
    record,
    variants: new Set(record.variants.map(({ name }) => name)),
    samples: createSampleCheck(record),
    hash: writer ? null : createContentHash(),
    writer: writer && {
      write: (line, position) => storing(position, () => writer.write(line, position)),
      finish: () => writer.finish(),
    },
  }
}

/** What a line must be beside the others of its archive. */
function checkLine(run: OpenRun, line: ContentLine, position: string, checks: ImportChecks): void {
  const { record } = run
  if (line.kind === "sample") run.samples.add(line.sample, position)
  if (line.kind === "media") run.samples.addMedia(line.sha256, position)
  const call = callOf(line)
  if (call) {
    const { variant, sampleId, repeat } = call
    checkVariant(run, `${line.kind}.variant`, variant, position)
    if (!run.samples.has(sampleId)) throw notAnArchive(position, archiveFaults.unknownSample(line.kind, sampleId))
    if (repeat >= record.repeats)
      throw notAnArchive(position, archiveFaults.repeatTooHigh(line.kind, repeat, record.repeats))
  }
  if (line.kind === "variant") checkVariant(run, "name", line.name, position)
  if (line.kind === "call") checkVariant(run, "call.variant", line.call.variant, position)
  const eventFault = line.kind === "event" ? (checks.event?.(line.event) ?? null) : null
  if (eventFault !== null) throw notAnArchive(position, `event.data: ${eventFault}`)
  if (line.kind !== "report") return
  if (line.report.run.id !== record.id) throw notAnArchive(position, archiveFaults.otherRun)
  const fault = checks.report?.(line.report) ?? null
  if (fault !== null) throw notAnArchive(position, `report.${fault}`)
}

/** The call that a line belongs to; null where it belongs to none. */
function callOf(line: ContentLine): CallKey | null {
  if (line.kind === "generation") return line.generation
  if (line.kind === "row") return line.row
  if (line.kind === "label") return line.label
  if (line.kind === "step") return line.step
  return line.kind === "attempt" ? line.attempt : null
}

function checkVariant(run: OpenRun, field: string, name: string, position: string): void {
  if (!run.variants.has(name)) throw notAnArchive(position, archiveFaults.unknownVariant(field, name))
}

/** What the database refuses is a fault of the archive: something comes twice. */
function storing(position: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (error instanceof EvalkitError || !/UNIQUE|constraint/i.test(messageOf(error))) throw error
    throw notAnArchive(position, archiveFaults.repeatedAnswer, error)
  }
}

/** The store may have more samples under the fingerprint than the archive brought. */
function checkStored(store: RunStore, { dataset }: RunRecord, position: string): void {
  let stored = 0
  for (const _ of store.sampleIds(dataset.fingerprint)) stored++
  if (stored === dataset.samples) return
  throw notAnArchive(position, archiveFaults.storedSamples(stored, dataset.samples))
}

function hashOfStored(store: RunStore, { id }: RunRecord): string {
  const hash = createContentHash()
  const record = store.run(id)
  if (record) for (const line of contentLines(store, record)) hash.add(line)
  return hash.digest()
}

function exists({ id }: RunRecord): UsageError {
  return new UsageError("the store has this run already, with other content", {
    code: "run_exists",
    where: `run ${id}`,
    hint: `nothing was changed; to replace it, remove it first: evalkit rm ${id}`,
  })
}

/** Counts and hashes the lines of an archive, and compares them with its end mark. */
interface Seal {
  /** A line before the end mark, without its line feed. */
  add(text: string): void
  /** @throws {UsageError} when lines are missing, or are not those that were written */
  check(end: EndLine, where: string): void
}

/** A {@link Seal} of no lines yet. */
function createSeal(): Seal {
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
