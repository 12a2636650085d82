import { UsageError } from "../core/errors.ts"
import { contentHash, type JsonObject, type JsonValue } from "../core/json.ts"
import type { MetricRow } from "../core/metric/metric.ts"
import { scored, type Unscored, unscored } from "../core/metric/metric.ts"
import type { AnswerFacts, SampleContent, ScoredVariant } from "../core/metric/scored-variant.ts"
import { isUnscoredCode } from "../core/metric/unscored-code.ts"
import type { SampleSplit } from "../core/sample.ts"
import { createRepeatFinder, type Question } from "../text/questions/repeated-questions.ts"
import { comparedFields, fieldOf, noteFacts, numberOf, numericFields, objectOf } from "./row-fields.ts"

/** Columns that hold what was asked and what was expected: rows are paired only where those agree. */
const promptColumns = ["prompt", "input", "question", "messages", "instruction", "query"]
const expectedColumns = ["reference", "references", "target", "targets", "expected", "ideal", "gold", "ground_truth"]
const contentColumns = [...promptColumns, ...expectedColumns]
/** Columns that hold the answer itself, in the order in which they are looked for. */
const textColumns = ["output", "answer", "response", "completion", "text"] as const

/** One row of a file that another tool wrote. @experimental */
export interface ForeignRow {
  readonly row: JsonObject
  /** `file:line`. */
  readonly where: string
}

/** How rows are read. @experimental */
export interface ForeignOptions {
  /** Fields that together name a sample. */
  readonly id: readonly string[]
  /** Fields to compare; every numeric or boolean field when empty. */
  readonly on: readonly string[]
}

/** What a column's values are like. @experimental */
export interface ColumnFacts {
  /** Every value is 0, 1, true or false. */
  readonly rate: boolean
  /** Every value lies between 0 and 1. */
  readonly unit: boolean
  readonly known: number
  /** Values that are texts and no number, and the first of them. */
  readonly texts?: { readonly count: number; readonly first: string; readonly where: string }
  /** What the tool that wrote the file says of the metric; absent where it says nothing. */
  readonly direction?: "higher" | "lower"
  readonly range?: readonly [number | null, number | null]
  /** What it is counted in; not to be taken for {@link unit}. */
  readonly countedIn?: string
}

/** A file as a scored variant, and what its columns are. @experimental */
export interface ForeignVariant {
  readonly scored: ScoredVariant
  /** Compared columns; `rate` when every value is 0, 1, true or false. */
  readonly columns: ReadonlyMap<string, ColumnFacts>
  /** Columns with a number in one of the first rows, for messages. */
  readonly numeric?: readonly string[]
  /** Columns whose figure is that of all answers together: the mean of their values is another one. */
  readonly sets?: readonly string[]
}

/**
 * Reads rows of foreign outputs as a scored variant. Ids that occur again are further repeats of the same sample. Values
 * that are no number are unscored with the reason. Memory: numbers only, the rows themselves are not kept.
 *
 * @throws {UsageError} for a row without an id
 * @experimental
 */
export async function foreignVariant(
  name: string,
  rows: AsyncIterable<ForeignRow> | Iterable<ForeignRow>,
  { id, on }: ForeignOptions,
): Promise<ForeignVariant> {
  const answers: AnswerFacts[] = []
  const texts = new Map<string, NonNullable<ColumnFacts["texts"]>>()
  const columns = new Map<string, MetricRow[]>(on.map((field) => [field, []]))
  const repeats = new Map<string, number>()
  const contents = new Map<string, SampleContent>()
  const finder = createRepeatFinder()
  const numeric = new Set<string>()
  const said = { lower: new Set<string>(), sets: new Set<string>() }
  let index = 0
  for await (const { row, where } of rows) {
    const sampleId = sampleIdOf(row, id, where)
    const repeat = repeats.get(sampleId) ?? 0
    repeats.set(sampleId, repeat + 1)
    if (index++ < 50) for (const field of numericFields(row)) numeric.add(field)
    noteFacts(row, said)
    const split = splitOf(row)
    answers.push(factsOf(row, sampleId, repeat, split))
    const content = contentOf(row, on)
    if (content) contents.set(`${sampleId}\u0000${repeat}`, content)
    if (content && repeat === 0) finder.add({ id: sampleId, ...split }, questionOfRow(row, content))
    const fields = on.length > 0 ? on : comparedFields(row, id)
    for (const field of fields) {
      const stated = fieldOf(row, field)
      const value = numberOf(stated)
      if (value === null && typeof stated === "string" && !/^(?:|-|nan|null|none|n\/?a)$/i.test(stated.trim())) {
        const { count, first, where: firstWhere } = texts.get(field) ?? { count: 0, first: stated, where }
        texts.set(field, { count: count + 1, first, where: firstWhere })
      }
      const list = columns.get(field) ?? []
      columns.set(field, list)
      const measured = value === null ? noNumber(row, field) : scored<unknown>(value)
      // Plain fields: a copied object for each of a million rows is what reading would spend its time on.
      list.push(split ? { sampleId, repeat, ...split, measured, value } : { sampleId, repeat, measured, value })
    }
  }
  const facts = [...columns].map(([field, list]): [string, ColumnFacts] => [
    field,
    {
      ...columnFacts(list),
      ...(texts.has(field) && { texts: texts.get(field) }),
      ...(said.lower.has(field) && { direction: "lower" }),
    },
  ])
  return {
    scored: { name, answers, rows: columns, contents, questions: finder.clusters() },
    columns: new Map(facts),
    numeric: [...numeric],
    sets: [...said.sets].filter((field) => columns.has(field)),
  }
}

/** What the values of a column are like. */
export function columnFacts(rows: readonly MetricRow[]): ColumnFacts {
  const facts = { rate: true, unit: true, known: 0 }
  for (const { value } of rows) {
    if (value === null) continue
    facts.known++
    facts.rate &&= value === 0 || value === 1
    facts.unit &&= value >= 0 && value <= 1
  }
  return facts
}

/** What a row asks: its prompt; passages, choices and what was expected must be equal. */
function questionOfRow(row: JsonObject, content: SampleContent): Question {
  const prompts = promptColumns.flatMap((field) => (content[field] === undefined ? [] : [row[field] as JsonValue]))
  const text = prompts.map((prompt) => (typeof prompt === "string" ? prompt : JSON.stringify(asked(prompt)))).join("\n")
  const others = [...expectedColumns, "context", "contexts", "passages", "document", "documents", "choices", "options"]
  return { text, asked: others.map((field) => row[field] ?? null), expected: null }
}

/** What a row is paired by. @throws {UsageError} where it lacks one of the fields */
export function sampleIdOf(row: JsonObject, id: readonly string[], where: string): string {
  const parts = id.map((field) => {
    const value = fieldOf(row, field)
    if (typeof value === "string" || typeof value === "number") return String(value)
    throw new UsageError(`the row has no ${field} to be paired by`, {
      where,
      hint: `name the field with --id; the row has: ${Object.keys(row).slice(0, 12).join(", ")}`,
    })
  })
  return parts.join("/")
}

/** Hashes of what the row says was asked and expected; null where it says neither. Compared fields are no content. */
function contentOf(row: JsonObject, on: readonly string[]): SampleContent | null {
  let facts: Record<string, string> | null = null
  for (const field of contentColumns) {
    const value = row[field]
    if (value === undefined || value === null || on.includes(field)) continue
    facts ??= {}
    // A short text is its own mark; two files that are read alike need no hash of it.
    facts[field] = typeof value === "string" && value.length <= 64 ? value : contentHash(asked(value), 16)
  }
  return facts
}

/** What was asked: of a conversation, everything but what the model said. */
function asked(value: JsonValue): JsonValue {
  if (typeof value === "number") return String(value)
  if (!Array.isArray(value)) return value
  return value.filter((v) => !(typeof v === "object" && v !== null && "role" in v && v.role === "assistant"))
}

/** What a row says of its answer besides its scores. */
export function factsOf(
  row: JsonObject,
  sampleId: string,
  repeat: number,
  split: RowSplit | null = splitOf(row),
): AnswerFacts {
  const text = textOf(row)
  return {
    sampleId,
    repeat,
    ...(split ?? {}),
    outcome: "ok",
    source: "foreign",
    ttftMs: numberOf(row.ttftMs),
    e2eMs: numberOf(row.e2eMs),
    tpotMs: numberOf(row.tpotMs),
    costUsd: numberOf(row.costUsd),
    confidence: numberOf(row.confidence),
    completionTokens: numberOf(row.completionTokens),
    // Empty: the text is not known, and is not compared with another.
    textHash: text === undefined ? "" : contentHash(text, 16),
  }
}

function textOf(row: JsonObject): string | undefined {
  for (const field of textColumns) {
    const value = row[field]
    if (typeof value === "string") return value
  }
  return undefined
}

function noNumber(row: JsonObject, field: string): Unscored {
  const value = fieldOf(row, field)
  if (value !== undefined && value !== null) return unscored("not_a_number", field)
  const reason = field.startsWith("metrics.") ? objectOf(row.reasons)[field.slice("metrics.".length)] : undefined
  if (typeof reason !== "string") return unscored("no_value", `no ${field}`)
  const [code = "", ...sentence] = reason.slice(0, 300).split(": ")
  return isUnscoredCode(code) && sentence.length > 0
    ? unscored(code, sentence.join(": "))
    : unscored("no_value", reason.slice(0, 300))
}

type RowSplit = Pick<SampleSplit, "cluster" | "group" | "critical">

/** Cluster and group of a row, and whether its sample must not break; null when it has nothing of the kind. */
function splitOf(row: JsonObject): RowSplit | null {
  if (row.cluster === undefined && row.group === undefined && row.critical !== true) return null
  const field = (name: "cluster" | "group") => {
    const value = row[name]
    return typeof value === "string" || typeof value === "number" ? { [name]: String(value) } : {}
  }
  return { ...field("cluster"), ...field("group"), ...(row.critical === true && { critical: true }) }
}
