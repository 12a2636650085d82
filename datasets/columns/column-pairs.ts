import { nearest } from "../../src/core/did-you-mean.ts"
import { UsageError } from "../../src/core/errors.ts"
import { atPath, type JsonObject } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"

/** A field and a column that belong together, as a person named them: in either order, unless `isFieldFirst`. */
export interface ColumnPair {
  readonly left: string
  readonly right: string
  /** Whether `left` is the field for certain. */
  readonly isFieldFirst: boolean
  /** What the person wrote, for messages: `--map answer=output_2`. */
  readonly said: string
}

/** Fields of a row of outputs. */
const fields = [
  ...["id", "output", "repeat", "references", "input", "context", "choices", "group", "cluster", "label", "turns"],
  ...["correct", "confidence", "prediction", "reasoning", "toolCalls", "expectedTools", "logprobs", "copyOf"],
]

/** Other words for a field. */
const otherWords = new Map([
  ...["answer", "response", "completion"].map((word) => [word, "output"] as const),
  ...["reference", "expected", "target", "gold"].map((word) => [word, "references"] as const),
  ...["question", "prompt"].map((word) => [word, "input"] as const),
  ...["trial", "epoch"].map((word) => [word, "repeat"] as const),
])

/**
 * Reads `FIELD=COLUMN`, `COLUMN=FIELD`, and `FIELD:=COLUMN`, which says the direction.
 *
 * @param option the option that it was given to, for messages
 * @throws {UsageError} for anything else
 * @example columnPair("answer=output_2", "--map") // the field `output` is in the column `output_2`
 */
export function columnPair(text: string, option: string): ColumnPair {
  // What stands first may begin with the sign, and has at least one character.
  const at = text.indexOf("=", 1)
  if (at < 0 || at === text.length - 1)
    throw new UsageError(`${option} takes FIELD=COLUMN`, {
      where: `${option} ${text}`,
      hint: `such as ${option} output=answer`,
    })
  const isFieldFirst = at > 1 && text[at - 1] === ":"
  return {
    left: text.slice(0, isFieldFirst ? at - 1 : at),
    right: text.slice(at + 1),
    isFieldFirst,
    said: `${option} ${text}`,
  }
}

/**
 * Column by field, found out by what the file has: `answer=output_2` and `output_2=answer` mean the same where there is a
 * column output_2. What is no field of evalkit's may stand on the left, and becomes a field of its own.
 *
 * @param row the first row
 * @throws {UsageError} where neither name is a column, where both could be either, and for a field that is named twice
 */
export function columnsByField(
  pairs: readonly ColumnPair[],
  row: JsonObject,
  where: string,
): ReadonlyMap<string, string> {
  const byField = new Map<string, ColumnPair & { readonly column: string }>()
  for (const pair of pairs) {
    const [field, column] = directed(pair, row, where)
    const before = byField.get(field)
    if (before)
      throw new UsageError(
        before.said.split(" ")[0] === pair.said.split(" ")[0]
          ? `${pair.said.split(" ")[0]} names ${field} twice`
          : `${field} is named twice`,
        { where: `${before.said} and ${pair.said}`, hint: "a field is in one column" },
      )
    byField.set(field, { ...pair, column })
  }
  return new Map([...byField].map(([field, { column }]) => [field, column]))
}

/** The value of a column, or of a path inside one; undefined where there is none. */
export function columnValue(row: JsonObject, column: string): JsonObject[string] | undefined {
  return Object.hasOwn(row, column) ? row[column] : atPath(row, column)
}

function directed(pair: ColumnPair, row: JsonObject, where: string): readonly [field: string, column: string] {
  const { left, right, isFieldFirst, said } = pair
  const [leftIsColumn, rightIsColumn] = [left, right].map((name) => columnValue(row, name) !== undefined)
  const [leftField, rightField] = [fieldNamed(left), fieldNamed(right)]
  if (isFieldFirst) {
    if (rightIsColumn) return [leftField ?? left, right]
    throw noColumn(right, row, where, said)
  }
  if (leftIsColumn && rightIsColumn && leftField !== null && rightField !== null && leftField !== rightField)
    throw new UsageError(`both "${left}" and "${right}" are columns of the file, and both are names of fields`, {
      code: "bad_option",
      where: `${said}, ${where}`,
      hint: `say which is the field: ${left}:=${right} fills ${leftField} from the column ${right}, ${right}:=${left} fills ${rightField} from the column ${left}`,
    })
  const isForward = rightIsColumn && (!leftIsColumn || leftField !== null || rightField === null)
  if (isForward) return [leftField ?? left, right]
  if (leftIsColumn && rightField !== null && !fields.includes(left)) return [rightField, left]
  throw noColumn(leftField === null && rightField !== null ? left : right, row, where, said)
}

function fieldNamed(name: string): string | null {
  return fields.includes(name) ? name : (otherWords.get(name) ?? null)
}

function noColumn(column: string, row: JsonObject, where: string, said: string): UsageError {
  const names = columnNames(row)
  const meant = nearest(column, names)
  return new UsageError(`the row has no "${column}", only ${Object.keys(row).slice(0, 12).join(", ")}`, {
    code: "bad_row",
    where,
    hint: meant === undefined ? `${said} names no column of the file` : `did you mean "${meant}"?`,
  })
}

/** Names that a person may have meant: columns, and what is right inside them. */
function columnNames(row: JsonObject): readonly string[] {
  return Object.entries(row)
    .slice(0, 100)
    .flatMap(([name, value]) =>
      isObject(value)
        ? [
            name,
            ...Object.keys(value)
              .slice(0, 50)
              .map((inner) => `${name}.${inner}`),
          ]
        : [name],
    )
}
