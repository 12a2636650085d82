import { optionTable } from "../../src/core/options.ts"

/** Options of which one is wrong, and where it stands. */
export interface WrongOptions {
  readonly path: string
  readonly options: object
}

const samples: Readonly<Record<string, unknown>> = {
  text: "noSuchWord",
  number: 1,
  boolean: true,
  function: () => null,
  list: ["noSuchWord"],
  object: { noSuchField: 1 },
  null: null,
}

/** For each option that a description knows: a value of every kind that it does not take, a wrong word, a wrong field, a wrong item. */
export function wrongOptions(options: object): WrongOptions[] {
  return Object.entries(options).flatMap(([name, kind]) =>
    wrongValues(kind).map((value) => ({ path: name, options: { [name]: value } })),
  )
}

function wrongValues(kind: unknown): unknown[] {
  if (kind === "any") return []
  if (typeof kind === "string") return allBut([kind])
  if (Array.isArray(kind)) return [...allBut(["list"]), ...wrongValues(kind[0]).map((item) => [item])]
  const of = kind as Readonly<Record<string, unknown>>
  if ("$either" in of) {
    const kinds = of.$either as Readonly<Record<string, unknown>>
    const inside = Object.entries(kinds).flatMap(([text, inner]) =>
      wrongValues(inner).filter((value) => isOf(text, value)),
    )
    return [...allBut(Object.keys(kinds)), ...inside]
  }
  if ("$each" in of) return [...allBut(["object"]), ...wrongValues(of.$each).map((value) => ({ name: value }))]
  if ("$having" in of) return [samples.object, ...allBut(["object"])]
  if ("$ref" in of) return wrongValues(optionTable(of.$ref as Parameters<typeof optionTable>[0]))
  if ("$words" in of) return ["noSuchWord", ...allBut(["text"])]
  // Null stands for the absence of an object.
  return [{ noSuchField: 1 }, ...allBut(["object", "null"]), ...wrongOptions(of).map(({ options }) => options)]
}

function allBut(kinds: readonly string[]): unknown[] {
  return Object.entries(samples).flatMap(([kind, value]) => (kinds.includes(kind) ? [] : [value]))
}

function isOf(kind: string, value: unknown): boolean {
  if (value === null) return kind === "null"
  if (Array.isArray(value)) return kind === "list"
  return kind === "text" ? typeof value === "string" : typeof value === kind
}
