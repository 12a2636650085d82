import { UsageError } from "../../core/errors.ts"
import type { ForeignLog } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { closing } from "../../platform/closing.ts"
import { listOf, member, numberOf, objectOf, textOf, timeOf } from "../fields.ts"
import { jsonText } from "../json-file.ts"
import { createOccasions, type Occasions } from "../occasions.ts"
import { readOwnMetrics } from "../own-facts.ts"
import type { JsonDocument } from "../row-file.ts"
import { openZip } from "../zip-file.ts"
import { sampleRecord } from "./sample.ts"

/** Whether a document is a log of Inspect. */
export function isInspectLog(document: JsonObject): boolean {
  return "eval" in document && "status" in document && member(document, "eval", "task") !== undefined
}

/** Whether the entries of a zip are those of a log of Inspect; an interrupted one has a journal only. */
export function isInspectZip(names: readonly string[]): boolean {
  return names.includes("header.json") || names.includes("_journal/start.json")
}

/**
 * A log of Inspect that was written as JSON.
 *
 * @throws {UsageError} where it holds results without samples
 */
export function inspectJson(document: JsonDocument, outline: JsonObject): ForeignLog {
  const { file } = document
  if (listOf(outline.samples).length === 0) throw noSamples(file, outline)
  return log(file, outline, async function* (about) {
    for await (const { value, where } of document.values("samples")) yield sampleRecord(value, where, about)
  })
}

/**
 * A log of Inspect as it is written by default: a zip with an entry for each sample and epoch. They are read one at a time.
 *
 * @returns null for another zip
 * @throws {UsageError} where the zip is damaged, or holds no samples
 */
export async function inspectZip(path: string, file: string): Promise<ForeignLog | null> {
  return closing(await openZip(path, file), async (zip) => {
    if (!isInspectZip(zip.names)) return null
    const head = zip.names.includes("header.json") ? "header.json" : "_journal/start.json"
    const header = objectOf(jsonText(await zip.text(head), `${file}#${head}`)) ?? {}
    const entries = zip.names.filter((name) => /^samples\/[^/]+\.json$/.test(name)).sort(byNumber.compare)
    if (entries.length === 0) throw noSamples(file, header)
    const notes = head === "header.json" ? [] : ["the log was interrupted: it holds the samples that were finished"]
    return {
      ...log(file, header, async function* (about) {
        const open = await openZip(path, file)
        try {
          for (const name of entries) {
            const where = `${file}#${name}`
            yield sampleRecord(jsonText(await open.text(name), where), where, about)
          }
        } finally {
          await open.close()
        }
      }),
      notes: [...notes, ...statusNotes(header)],
    }
  })
}

/** `10_epoch_1` after `9_epoch_1`. */
const byNumber = new Intl.Collator("en", { numeric: true })

/** What of a log its samples are read with. */
export interface AboutLog {
  readonly variant: string
  readonly occasions: Occasions
}

function log(
  file: string,
  header: JsonObject,
  read: (about: AboutLog) => ReturnType<ForeignLog["records"]>,
): ForeignLog {
  const variant = textOf(member(header, "eval", "model")) ?? "model"
  return {
    tool: "inspect",
    file,
    dataset: textOf(member(header, "eval", "task")) ?? "inspect",
    startedAt: timeOf(member(header, "eval", "created")),
    metrics: readOwnMetrics(member(header, "eval", "metadata")),
    isUniform: true,
    hasScores: listOf(member(header, "results", "scores")).length > 0,
    notes: statusNotes(header),
    records: () => read({ variant, occasions: createOccasions() }),
  }
}

function statusNotes(header: JsonObject): readonly string[] {
  const status = textOf(header.status)
  if (status === undefined || status === "success") return []
  const message = textOf(member(header, "error", "message"))
  return [`the log's status is ${status}${message === undefined ? "" : `: ${message.slice(0, 200)}`}`]
}

function noSamples(where: string, header: JsonValue): UsageError {
  const total = numberOf(member(header, "results", "total_samples"))
  if (total === undefined || total === 0)
    return new UsageError("the log of Inspect was interrupted before its first sample was written", {
      where,
      hint: "run inspect log recover on it, or inspect eval-retry, and give the log that it writes",
    })
  return new UsageError(
    `the log of Inspect holds no samples, only the figures of ${total}: figures alone cannot be paired`,
    { where, hint: "run inspect eval with --log-samples, and give the log that it writes" },
  )
}
