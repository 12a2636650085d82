import { nearest } from "./did-you-mean.ts"
import { UsageError } from "./errors.ts"
import { isObject } from "./json-members.ts"

/** What an option takes; `any` for what a word cannot say (a union, null). */
export type OptionKind = "text" | "number" | "boolean" | "function" | "list" | "object" | "any"

/**
 * Every option of a factory with its kind, or with the options inside it. The compiler sees to it that none is left out,
 * and that the kind is that of the type.
 */
export type OptionKinds<Options> = { readonly [Name in NameOf<Options>]-?: KindOf<ValueOf<Options, Name>> }

/** The fields of every member of a union. */
type NameOf<Options> = Options extends unknown ? keyof Options & string : never

type ValueOf<Options, Name extends string> = Options extends { readonly [N in Name]?: infer Value } ? Value : never

type KindOf<Value> = KindOfGiven<Exclude<Value, undefined>>

type KindOfGiven<Value> =
  | "any"
  | ([Value] extends [string]
      ? "text"
      : [Value] extends [number]
        ? "number"
        : [Value] extends [boolean]
          ? "boolean"
          : [Value] extends [(...given: never[]) => unknown]
            ? "function"
            : [Value] extends [readonly unknown[]]
              ? "list"
              : [Value] extends [object]
                ? "object" | OptionKinds<Value>
                : [Value] extends [object | null]
                  ? OptionKinds<Exclude<Value, null>>
                  : never)

type Known = { readonly [name: string]: OptionKind | Known }

/**
 * Checks what a factory of the public interface was given, before anything is made of it: an option that it does not have
 * is a typing error that would otherwise be ignored in silence. Absent options and `undefined` are fine.
 *
 * @param factory how a config calls it: `exactMatch`
 * @throws UsageError with code `unknown_option` (with the name that was probably meant) or `option_type`.
 * @example checkOptions("exactMatch", { normalise: "none" }, { name: "text", normalize: "text" }) // … did you mean "normalize"?
 */
export function checkOptions<Options extends object>(
  factory: string,
  options: Options | undefined,
  known: OptionKinds<NoInfer<Options>>,
): void {
  if (options !== undefined) check(factory, options, known as Known, "")
}

function check(factory: string, given: unknown, known: Known, path: string): void {
  if (!isKind(given, "object")) throw wrongType(factory, path, "object", given)
  for (const [name, value] of Object.entries(given as object)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) throw unknownOption(factory, `${path}${name}`, name, Object.keys(known))
    if (value === undefined) continue
    if (typeof kind === "object") {
      if (value !== null) check(factory, value, kind, `${path}${name}.`)
    } else if (!isKind(value, kind)) throw wrongType(factory, `${path}${name}`, kind, value)
  }
}

function isKind(value: unknown, kind: OptionKind): boolean {
  if (kind === "any") return true
  if (kind === "list") return Array.isArray(value)
  if (kind === "object") return isObject(value)
  return typeof value === (kind === "text" ? "string" : kind)
}

const words: Readonly<Record<OptionKind, string>> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  function: "a function",
  list: "a list",
  object: "an object",
  any: "anything",
}

function wrongType(factory: string, path: string, kind: OptionKind, value: unknown): UsageError {
  const name = path.replace(/\.$/, "")
  return new UsageError(`${factory}: expected ${words[kind]}, got ${describe(value)}`, {
    code: "option_type",
    where: name === "" ? `${factory}(...)` : `${factory}({ ${name} })`,
    ...(name === "" && { hint: 'its options are an object, such as { name: "..." }' }),
  })
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
