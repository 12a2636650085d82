import { atPath, type JsonObject, type JsonValue } from "../src/core/json.ts"

/**
 * How a field is found in a row: a column's name, a dotted path such as `meta.question`, or a function of the row.
 * @public
 */
export type FieldSource = string | ((row: JsonObject) => JsonValue | undefined)

/** Fields of a sample that can be mapped. */
const sampleFields = [
  "id",
  "input",
  "turns",
  "references",
  "context",
  "choices",
  "expectedTools",
  "group",
  "cluster",
  "critical",
  "label",
  "copyOf",
  "images",
  "audio",
] as const

/** A field of a sample that can be mapped. @public */
export type SampleField = (typeof sampleFields)[number]

/** Where each field of a sample is; what is absent is looked for under its usual names. @public */
export type FieldMapping = { readonly [field in SampleField]?: FieldSource }

/** The usual names of each field, in order: the first that a row has a value for is taken. */
const defaultNames: { readonly [field in SampleField]: readonly string[] } = {
  id: ["id", "_id"],
  input: ["input", "prompt", "question", "messages"],
  // As MT-bench has it: the texts of the user, one after the other.
  turns: ["turns"],
  references: ["references", "reference", "target", "expected", "answerKey", "answers", "answer"],
  context: ["context", "contexts", "passages"],
  choices: ["choices", "options"],
  expectedTools: ["expectedTools", "expected_tools"],
  group: ["group"],
  cluster: ["cluster"],
  critical: ["critical"],
  label: ["label"],
  copyOf: ["copyOf"],
  // Asked for by name only: a column of this name is often a file's name that no model is to see.
  images: [],
  audio: [],
}

/** Columns of a record of calls: an `answer` beside one of them is the model's, and no answer key. */
const callColumns = [
  ...[
    "model",
    "variant",
    "usage",
    "latency",
    "latency_ms",
    "latencyMs",
    "e2eMs",
    "ttftMs",
    "finish_reason",
    "finishReason",
  ],
  ...["completion_tokens", "completionTokens", "output_tokens", "outcome"],
]

/** A field's value and the column that it came from (null for a path or a function). */
export interface Found {
  readonly value: JsonValue | undefined
  readonly column: string | null
}

/** Looks a field up: as the mapping says, else under its usual names. Only the row's own properties count. */
export function findField(row: JsonObject, field: SampleField, mapping: FieldMapping): Found {
  const from = mapping[field]
  if (typeof from === "function") return { value: from(row), column: null }
  if (from !== undefined)
    return Object.hasOwn(row, from) ? { value: row[from], column: from } : { value: atPath(row, from), column: null }
  const isRecord = field === "references" && callColumns.some((name) => Object.hasOwn(row, name))
  const names = defaultNames[field].filter((name) => Object.hasOwn(row, name) && !(isRecord && /^answers?$/.test(name)))
  const column = names.find((name) => row[name] !== null) ?? names[0]
  return column === undefined ? { value: undefined, column: null } : { value: row[column], column }
}
