import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { Sample } from "../../src/core/sample.ts"

/** What BBQ's scoring needs of a question. */
export interface BbqItem {
  readonly category: string
  readonly condition: "ambig" | "disambig"
  readonly answers: readonly string[]
  /** Place of the right answer, of the answer that says "unknown", and of the one that the stereotype suggests; null when unclear. */
  readonly right: number
  readonly unknown: number
  readonly suggested: number | null
}

/**
 * Reads a row of BBQ as it is published (`ans0` …, `answer_info`, `additional_metadata.stereotyped_groups`, `question_polarity`,
 * `context_condition`, `label`), or with the short names `answers` (or choices), `groups`, `stereotyped`, `polarity`, `condition`.
 *
 * For a negative question the stereotype suggests the answer of a stereotyped group, for a non-negative one the other person.
 *
 * @returns null when the row is not BBQ's
 */
export function bbqItem(sample: Sample): BbqItem | null {
  const { metadata } = sample
  const answers = sample.choices.length === 3 ? sample.choices : threeTexts(metadata)
  const groups = groupsOf(metadata)
  const stereotyped = texts(member(metadata.additional_metadata, "stereotyped_groups") ?? metadata.stereotyped)
  const condition = metadata.context_condition ?? metadata.condition
  const polarity = metadata.question_polarity ?? metadata.polarity
  const right = Number(sample.label ?? metadata.label ?? Number.NaN)
  const unknown = groups.findIndex((names) => names.includes("unknown"))
  if (answers.length !== 3 || groups.length !== 3 || !Number.isInteger(right) || unknown < 0) return null
  if (condition !== "ambig" && condition !== "disambig") return null
  const people = [0, 1, 2].filter((index) => index !== unknown)
  const meant = people.filter((index) => groups[index]?.some((name) => stereotyped.includes(name)))
  const target = meant.length === 1 ? (meant[0] as number) : null
  const other = people.find((index) => index !== target) as number
  const category = typeof metadata.category === "string" ? metadata.category : "all"
  const suggested = target === null ? null : polarity === "nonneg" ? other : target
  return { category, condition, answers, right, unknown, suggested }
}

function threeTexts(metadata: JsonObject): readonly string[] {
  const listed = texts(metadata.answers)
  return listed.length === 3 ? listed : texts([metadata.ans0 ?? null, metadata.ans1 ?? null, metadata.ans2 ?? null])
}

/** The group names of each answer, most specific last. */
function groupsOf(metadata: JsonObject): readonly (readonly string[])[] {
  const info = metadata.answer_info
  if (Array.isArray(metadata.groups)) return (metadata.groups as readonly JsonValue[]).map(texts)
  return ["ans0", "ans1", "ans2"].flatMap((key) => {
    const names = texts(member(info, key))
    return names.length > 0 ? [names] : []
  })
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : []
}
