import { nearest } from "./did-you-mean.ts"
import { UsageError } from "./errors.ts"
import type { JsonValue } from "./json.ts"
import { isObject } from "./json-members.ts"

/** What an option takes; `any` for every JSON value. */
export type OptionKind = "text" | "number" | "boolean" | "function" | "list" | "object" | "null" | "any"

/**
 * Every option of a factory with its kind, or with what may stand inside it. The compiler sees to it that none is left out,
 * and that the kind is that of the type.
 */
export type OptionKinds<Options> = { readonly [Name in NameOf<Options>]-?: KindOf<ValueOf<Options, Name>> }

/** The fields of every member of a union. */
type NameOf<Options> = Options extends unknown ? keyof Options & string : never

type ValueOf<Options, Name extends string> = Options extends { readonly [N in Name]?: infer Value } ? Value : never

type KindOf<Value> = KindOfGiven<Exclude<Value, undefined>>

type KindOfGiven<Value> = [JsonValue] extends [Value]
  ? "any"
  : [Value] extends [string]
    ? TextKind<Value>
    : [Value] extends [number]
      ? "number"
      : [Value] extends [boolean]
        ? "boolean"
        : [Value] extends [null]
          ? "null"
          : [Value] extends [(...given: never[]) => unknown]
            ? "function"
            : [Value] extends [readonly unknown[]]
              ? ListKind<Value[number]>
              : [NameOfKind<Value>] extends ["object" | "null"]
                ? ObjectKind<Exclude<Value, null>>
                : Either<{
                    readonly [Kind in NameOfKind<Value>]: KindOf<
                      Kind extends "object" ? PlainObject<Value> : Extract<Value, OfKind[Kind]>
                    >
                  }>

/** Any text, or every word that the option knows. */
type TextKind<Value extends string> = string extends Value ? "text" : OptionWords<Value>

/** What may stand in a list. */
type ListKind<Item> = readonly [KindOf<Item>]

/** Any object, or its fields, or what each of its members is. */
type ObjectKind<Value> =
  | "object"
  | Having
  | (string extends keyof Value ? Each<KindOf<Value[string & keyof Value]>> : OptionKinds<Value>)

/** Every word of an option that knows only some; the compiler sees to it that none is left out. */
type OptionWords<Value extends string> = { readonly [Word in Value]: "word" }

interface OfKind {
  readonly text: string
  readonly number: number
  readonly boolean: boolean
  readonly null: null
  readonly function: (...given: never[]) => unknown
  readonly list: readonly unknown[]
  readonly object: object
}

type NameOfKind<Value> = Value extends unknown
  ? FirstKind<Value, "text" | "number" | "boolean" | "null" | "function" | "list">
  : never

type FirstKind<Value, Kind extends keyof OfKind> = [
  { [K in Kind]: Value extends OfKind[K] ? K : never }[Kind],
] extends [never]
  ? "object"
  : { [K in Kind]: Value extends OfKind[K] ? K : never }[Kind]

/** The members of a union that are neither lists nor functions. */
type PlainObject<Value> = Exclude<Extract<Value, object>, OfKind["list"] | OfKind["function"]>

/** Marks {@link Either} in a description. */
export const alternatives = Symbol("alternatives")
/** Marks {@link Each} in a description. */
export const member = Symbol("member")
/** Marks {@link Having} in a description. */
export const required = Symbol("required")

interface Either<Kinds> {
  readonly [alternatives]: Kinds
}

interface Each<Kind> {
  readonly [member]: Kind
}

export interface Having {
  readonly [required]: Readonly<Record<string, OptionKind>>
}

/** An option that takes values of several kinds: `either({ number: "number", text: { auto: "word" } })`. */
export function either<const Kinds extends object>(kinds: Kinds): Either<Kinds> {
  return { [alternatives]: kinds }
}

/** An object with members of any name, each of this kind: `each("number")`. */
export function each<const Kind>(kind: Kind): Each<Kind> {
  return { [member]: kind }
}

/** An object that at least has these members, whatever made it: `having({ embed: "function" })`. */
export function having(members: Readonly<Record<string, OptionKind>>): Having {
  return { [required]: members }
}

type Fields = { readonly [name: string]: Known }

type Known =
  | OptionKind
  | "word"
  | Fields
  | readonly [Known]
  | Either<{ readonly [Kind in OptionKind]?: Known }>
  | Each<Known>
  | Having

/**
 * Checks what a factory of the public interface was given, before anything is made of it: an option that it does not have
 * is a typing error that would otherwise be ignored in silence. Absent options and `undefined` are fine.
 *
 * @param factory how a config calls it: `exactMatch`
 * @throws UsageError with code `unknown_option` (with the name that was probably meant), `option_type`, or `unknown_word` for a word that the option
 * does not know.
 * @example checkOptions("exactMatch", { normalise: "none" }, { name: "text", normalize: "text" }) // … did you mean "normalize"?
 */
export function checkOptions<Options extends object>(
  factory: string,
  options: Options | undefined,
  known: OptionKinds<NoInfer<Options>>,
): void {
  if (options !== undefined) checkFields(factory, options, known as Fields, "")
}

function checkFields(factory: string, given: unknown, known: Fields, path: string): void {
  if (!isKind(given, "object")) throw wrongType(factory, path, ["object"], given)
  for (const [name, value] of Object.entries(given as object)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) throw unknownOption(factory, `${path}${name}`, name, Object.keys(known))
    if (value !== undefined) checkValue(factory, value, kind, `${path}${name}`)
  }
}

function checkValue(
  factory: string,
  value: unknown,
  kind: Known,
  path: string,
  also: readonly OptionKind[] = [],
): void {
  const expect = (wanted: OptionKind) => {
    if (!isKind(value, wanted)) throw wrongType(factory, path, [wanted], value)
  }
  if (typeof kind === "string") expect(kind as OptionKind)
  else if (isListKind(kind)) {
    expect("list")
    for (const [index, item] of (value as readonly unknown[]).entries())
      checkValue(factory, item, kind[0], isWords(kind[0]) ? path : `${path}[${index}]`)
  } else if (alternatives in kind) {
    const kinds = kind[alternatives]
    const names = Object.keys(kinds) as OptionKind[]
    const found = names.find((name) => isKind(value, name))
    if (found === undefined) throw wrongType(factory, path, names, value)
    checkValue(
      factory,
      value,
      kinds[found] ?? "any",
      path,
      names.filter((name) => name !== "text"),
    )
  } else if (member in kind) {
    expect("object")
    for (const [name, item] of Object.entries(value as object))
      checkValue(factory, item, kind[member], `${path}.${name}`)
  } else if (required in kind) {
    expect("object")
    for (const [name, wanted] of Object.entries((kind as Having)[required]))
      checkValue(factory, Reflect.get(value as object, name), wanted, `${path}.${name}`)
  } else if (isWords(kind)) checkWord(factory, path, kind as Fields, value, also)
  else if (value !== null) checkFields(factory, value, kind, `${path}.`)
}

function isListKind(kind: Known): kind is readonly [Known] {
  return Array.isArray(kind)
}

function isWords(kind: Known): boolean {
  return typeof kind === "object" && Object.values(kind)[0] === "word"
}

/** A word that an option does not know would be taken for another one in silence. */
function checkWord(factory: string, path: string, known: Fields, value: unknown, also: readonly OptionKind[]): void {
  if (typeof value !== "string") throw wrongType(factory, path, ["text"], value)
  if (Object.hasOwn(known, value)) return
  const words = Object.keys(known)
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

function unknownOption(factory: string, path: string, name: string, known: readonly string[]): UsageError {
  const meant = nearest(name, known)
  return new UsageError(`${factory} has no option "${name}"`, {
    code: "unknown_option",
    where: `${factory}({ ${path} })`,
    hint: meant ? `did you mean "${meant}"?` : `its options are ${known.join(", ")}`,
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
