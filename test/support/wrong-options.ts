import { alternatives, member, required } from "../../src/core/options.ts"

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
export function wrongOptions(known: object): WrongOptions[] {
  return Object.entries(known).flatMap(([name, kind]) =>
    wrongValues(kind).map((value) => ({ path: name, options: { [name]: value } })),
  )
}

function wrongValues(kind: unknown): unknown[] {
  if (kind === "any") return []
  if (typeof kind === "string") return allBut([kind])
  if (Array.isArray(kind)) return [...allBut(["list"]), ...wrongValues(kind[0]).map((item) => [item])]
  const of = kind as Readonly<Record<string | symbol, unknown>>
  if (alternatives in of) {
    const kinds = of[alternatives] as Readonly<Record<string, unknown>>
    const inside = Object.entries(kinds).flatMap(([one, inner]) =>
      wrongValues(inner).filter((value) => isOf(one, value)),
    )
    return [...allBut(Object.keys(kinds)), ...inside]
  }
  if (member in of) return [...allBut(["object"]), ...wrongValues(of[member]).map((value) => ({ name: value }))]
  if (required in of) return [samples.object, ...allBut(["object"])]
  if (Object.values(of)[0] === "word") return ["noSuchWord", ...allBut(["text"])]
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
