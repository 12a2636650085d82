import { nearest } from "./did-you-mean.ts"
import { UsageError } from "./errors.ts"
import { isObject } from "./json-members.ts"
import { optionTables } from "./option-tables.ts"

/** What an option takes; `any` for every JSON value. */
export type OptionKind = "text" | "number" | "boolean" | "function" | "list" | "object" | "null" | "any"

/** Options by name, with what each takes. */
export type OptionFields = { readonly [name: string]: Kind }

/**
 * What an option takes: a kind; the fields of an object; items of a list; words of which it knows only these; one of several kinds;
 * an object with members of any name, each of a kind; an object that at least has these members, whatever made it; what another table says.
 */
export type Kind =
  | OptionKind
  | readonly [Kind]
  | { readonly $words: readonly string[] }
  | { readonly $either: { readonly [Name in OptionKind]?: Kind } }
  | { readonly $each: Kind }
  | { readonly $having: Readonly<Record<string, Kind>> }
  | { readonly $ref: OptionTable }
  | OptionFields

/** Name of a table: the factory's own, if it has one of its own. */
type OptionTable = keyof typeof optionTables

const read = new Map<OptionTable, Kind>()

/** What the options of a table take. */
export function optionTable(name: OptionTable): Kind {
  const existing = read.get(name) ?? (JSON.parse(optionTables[name]) as Kind)
  read.set(name, existing)
  return existing
}

/**
 * Checks what a factory of the public interface was given, before anything is made of it: an option that it does not have
 * is a typing error that would otherwise be ignored in silence. Absent options and `undefined` are fine.
 *
 * @param factory how a config calls it: `exactMatch`
 * @throws UsageError with code `unknown_option` (with the name that was probably meant), `option_type`, or `unknown_word` for a word that the option
 * does not know.
 * @param table whose options they are, where it is not the factory's own
 * @example checkOptions("exactMatch", { normalise: "none" }) // … did you mean "normalize"?
 */
export function checkOptions(factory: OptionTable, options: object | undefined): void
export function checkOptions(factory: string, options: object | undefined, table: OptionTable): void
export function checkOptions(factory: string, options: object | undefined, table = factory as OptionTable): void {
  if (options !== undefined) checkFields(factory, options, optionTable(table) as OptionFields, "")
}

/** {@link checkOptions} with the options themselves instead of their table. */
export function checkFields(factory: string, input: unknown, optionFields: OptionFields, path = ""): void {
  if (!isKind(input, "object")) throw wrongType(factory, path, ["object"], input)
  for (const [name, value] of Object.entries(input as object)) {
    const kind = Object.hasOwn(optionFields, name) ? optionFields[name] : undefined
    if (kind === undefined) throw unknownOption(factory, `${path}${name}`, name, Object.keys(optionFields))
    if (value !== undefined) checkValue(factory, value, kind, `${path}${name}`)
  }
}

function checkValue(factory: string, value: unknown, kind: Kind, path: string, also: readonly OptionKind[] = []): void {
  const expect = (expected: OptionKind) => {
    if (!isKind(value, expected)) throw wrongType(factory, path, [expected], value)
  }
  if (typeof kind === "string") expect(kind)
  else if (isListKind(kind)) {
    expect("list")
    for (const [index, item] of (value as readonly unknown[]).entries())
      checkValue(factory, item, kind[0], "$words" in Object(kind[0]) ? path : `${path}[${index}]`)
  } else if (isForm(kind, "$either")) {
    const names = Object.keys(kind.$either) as OptionKind[]
    const kindName = names.find((name) => isKind(value, name))
    if (kindName === undefined) throw wrongType(factory, path, names, value)
    checkValue(
      factory,
      value,
      kind.$either[kindName] ?? "any",
      path,
      names.filter((name) => name !== "text"),
    )
  } else if (isForm(kind, "$each")) {
    expect("object")
    for (const [name, item] of Object.entries(value as object)) checkValue(factory, item, kind.$each, `${path}.${name}`)
  } else if (isForm(kind, "$having")) {
    expect("object")
    for (const [name, member] of Object.entries(kind.$having))
      checkValue(factory, Reflect.get(value as object, name), member, `${path}.${name}`)
  } else if (isForm(kind, "$ref")) checkValue(factory, value, optionTable(kind.$ref), path, also)
  else if (isForm(kind, "$words")) checkWord(factory, path, kind.$words, value, also)
  else if (value !== null) checkFields(factory, value, kind as OptionFields, `${path}.`)
}

function isListKind(kind: Kind): kind is readonly [Kind] {
  return Array.isArray(kind)
}

function isForm<Name extends string>(kind: Kind, name: Name): kind is Extract<Kind, { readonly [N in Name]: unknown }> {
  return Object.hasOwn(kind as object, name)
}

/** A word that an option does not know would be taken for another one in silence. */
function checkWord(
  factory: string,
  path: string,
  words: readonly string[],
  value: unknown,
  also: readonly OptionKind[],
): void {
  if (typeof value !== "string") throw wrongType(factory, path, ["text"], value)
  if (words.includes(value)) return
  const meant = nearest(value, words)
  throw new UsageError(`${factory}: ${path} does not know ${describe(value)}`, {
    code: "unknown_word",
    where: `${factory}({ ${path} })`,
    hint: meant
      ? `did you mean "${meant}"?`
      : `it knows ${[...words.map((word) => `"${word}"`), ...also.map((kind) => kindNames[kind])].join(", ")}`,
  })
}

function isKind(value: unknown, kind: OptionKind): boolean {
  if (kind === "any") return true
  if (kind === "null") return value === null
  if (kind === "list") return Array.isArray(value)
  if (kind === "object") return isObject(value)
  return typeof value === (kind === "text" ? "string" : kind)
}

const kindNames: Readonly<Record<OptionKind, string>> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  function: "a function",
  list: "a list",
  object: "an object",
  null: "null",
  any: "anything",
}

function wrongType(factory: string, path: string, kinds: readonly OptionKind[], value: unknown): UsageError {
  const name = path.replace(/\.$/, "")
  return new UsageError(
    `${factory}: expected ${kinds.map((kind) => kindNames[kind]).join(" or ")}, got ${describe(value)}`,
    {
      code: "option_type",
      where: name === "" ? `${factory}(...)` : `${factory}({ ${name} })`,
      ...(name === "" && { hint: 'its options are an object, such as { name: "..." }' }),
    },
  )
}

function unknownOption(factory: string, path: string, name: string, names: readonly string[]): UsageError {
  const meant = nearest(name, names)
  return new UsageError(`${factory} has no option "${name}"`, {
    code: "unknown_option",
    where: `${factory}({ ${path} })`,
    hint: meant ? `did you mean "${meant}"?` : `its options are ${names.join(", ")}`,
  })
}

/** A value in a few words, for "got …". */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing"
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)
  if (typeof value === "function") return `the function ${value.name || "without a name"}`
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  return String(value)
}
