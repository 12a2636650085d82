import { UsageError } from "../../core/errors.ts"
import type { Generation } from "../../core/generation.ts"
import { readUnscoredCode } from "../../core/metric/unscored-code.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { HumanLabel } from "../../core/report/section-judge.ts"
import type { RunEvent, RunRecord, VariantState } from "../../core/run/run-record.ts"
import type { ModelCall, OpenAttempt, OpenStep, StoredRow } from "../../core/run/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import { archiveFaults } from "../../words/reasons/archive.ts"
import { decodeReport } from "../report-codec.ts"
import { lineSchemas } from "./line-schema.ts"

/** The format that archives are written in. */
export const archiveFormat = 2

/** One line of an archive. The first is the run, the last the end mark; an archive holds exactly one run. */
export type ArchiveLine =
  | { readonly kind: "run"; readonly format: 2; readonly record: RunRecord }
  | { readonly kind: "sample"; readonly sample: Sample }
  | { readonly kind: "media"; readonly sha256: string; readonly base64: string }
  | { readonly kind: "generation"; readonly generation: Generation }
  | { readonly kind: "row"; readonly row: StoredRow }
  | { readonly kind: "attempt"; readonly attempt: OpenAttempt }
  | { readonly kind: "step"; readonly step: OpenStep }
  | { readonly kind: "variant"; readonly name: string; readonly state: VariantState }
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "label"; readonly label: HumanLabel }
  | { readonly kind: "call"; readonly call: ModelCall }
  | { readonly kind: "report"; readonly report: RunReport }
  | EndLine

/** The last line: how many lines came before it, and the SHA-256 of them, each with a line feed, in hex. */
export interface EndLine {
  readonly kind: "end"
  readonly lines: number
  readonly sha256: string
}

/** What an archive tells of a run: every line but the end mark. */
export type ContentLine = Exclude<ArchiveLine, EndLine>

/**
 * Reads a line.
 * @param where `file:line`, for messages
 * @throws {UsageError} `not_an_archive` naming the field that is not as it must be
 */
export function readLine(text: string, where: string): ArchiveLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notAnArchive(where, archiveFaults.noJson, error)
  }
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : null
  if (typeof kind !== "string" || !Object.hasOwn(lineSchemas, kind))
    throw notAnArchive(where, archiveFaults.unknownKind)
  if (kind === "run" && (value as { readonly format?: unknown }).format !== archiveFormat)
    throw notAnArchive(where, archiveFaults.otherVersion)
  const issue = lineSchemas[kind as ArchiveLine["kind"]].safeParse(value).error?.issues[0]
  if (issue) throw notAnArchive(where, `${issue.path.join(".")}: ${issue.message.replace(/^Invalid input: /, "")}`)
  return checkedLine(value as ArchiveLine)
}

/** The line with what only evalkit's own may say: kinds of sections, codes of reasons. */
function checkedLine(line: ArchiveLine): ArchiveLine {
  if (line.kind === "report") return { kind: "report", report: decodeReport(JSON.stringify(line.report)) }
  if (line.kind !== "row" || line.row.measured.status === "scored") return line
  const { measured } = line.row
  return { kind: "row", row: { ...line.row, measured: { ...measured, code: readUnscoredCode(measured.code) } } }
}

/**
 * Whether a file begins as an archive does, so that it is one that broke, and no file of something else.
 *
 * @param start the file's first characters, or all of them
 */
export function beginsAsArchive(start: string): boolean {
  const [, kind] = /^\uFEFF?\s*\{\s*"kind"\s*:\s*"([^"]*)"/.exec(start) ?? []
  return kind !== undefined && Object.hasOwn(lineSchemas, kind)
}

/** The refusal of a file. */
export function notAnArchive(where: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`this is not a whole evalkit archive: ${why}`, {
    code: "not_an_archive",
    where,
    hint: "make one with: evalkit export RUN --format archive; rows of your own need no import: evalkit score FILE, or evalkit compare A B",
    cause,
  })
}
