import { type Checker, SignatureKind, SymbolFlags, type Type, TypeFlags } from "typescript/unstable/sync"
import type { Kind, OptionFields } from "../../src/core/options.ts"

/** Values that a factory made: what must be there is checked, whoever made them may add more. */
const madeValues = new Set(["Provider", "Embedder"])

/** Objects that somebody else checks, or whose makers add fields of their own: only that they are objects is checked. */
const unread = new Set(["Rubric", "Anchor", "ToolDefinition", "JsonObject"])

/** Every option of a type, with what it takes. */
export function optionFields(type: Type, checker: Checker): OptionFields {
  const fields: Record<string, Kind> = {}
  for (const member of type.isUnionType() ? type.getTypes() : [type])
    for (const symbol of checker.getPropertiesOfType(member)) {
      const of = checker.getTypeOfSymbol(symbol)
      const kinds = of ? [kindOf(of, checker)] : []
      const values = fields[symbol.name]
      fields[symbol.name] = joined(values === undefined ? kinds : [values, ...kinds])
    }
  return fields
}

function kindOf(type: Type, checker: Checker): Kind {
  const inner = (member: Type | undefined) => (member ? kindOf(member, checker) : "any")
  const is = (flags: number) => (type.flags & flags) !== 0
  if (type.getAliasSymbol()?.name === "JsonValue" || is(TypeFlags.Any | TypeFlags.Unknown)) return "any"
  if (is(TypeFlags.NonPrimitive)) return "object"
  if (is(TypeFlags.Null)) return "null"
  if (type.isStringLiteralType()) return { $words: [type.value] }
  if (is(TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) return "text"
  if (is(TypeFlags.Number | TypeFlags.NumberLiteral)) return "number"
  if (is(TypeFlags.Boolean | TypeFlags.BooleanLiteral)) return "boolean"
  if (type.isTypeParameter()) return inner(checker.getConstraintOfTypeParameter(type))
  if (type.isUnionType())
    return joined(
      type
        .getTypes()
        .filter(({ flags }) => !(flags & TypeFlags.Undefined))
        .map(inner),
    )
  if (checker.isTupleType(type) || checker.isArrayType(type)) return [inner(checker.getTypeArguments(type as never)[0])]
  return isFunction(type, checker) ? "function" : objectKind(type, checker)
}

function isFunction(type: Type | undefined, checker: Checker): boolean {
  return type !== undefined && checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
}

function objectKind(type: Type, checker: Checker): Kind {
  const name = type.getAliasSymbol()?.name ?? type.getSymbol()?.name ?? ""
  const [index] = checker.getIndexInfosOfType(type)
  if (unread.has(name)) return "object"
  if (index) {
    const each = kindOf(index.valueType, checker)
    return each === "any" ? "object" : { $each: each }
  }
  const required = checker.getPropertiesOfType(type).filter(({ flags }) => !(flags & SymbolFlags.Optional))
  if (madeValues.has(name)) {
    const kinds = required.map((symbol) => [symbol.name, kindOf(checker.getTypeOfSymbol(symbol)!, checker)] as const)
    return { $having: Object.fromEntries(kinds.filter(([, kind]) => kind === "text" || kind === "function")) }
  }
  // What has functions and a name is made by a factory; what has no name is written by users, with every field.
  const isMade = name !== "__type" && required.some((symbol) => isFunction(checker.getTypeOfSymbol(symbol), checker))
  const fields = isMade ? {} : optionFields(type, checker)
  return Object.keys(fields).length === 0 ? "object" : fields
}

/** What takes each of these; null beside fields stands for the absence of the object. */
function joined(kinds: readonly Kind[]): Kind {
  const byName = new Map<string, Kind>()
  for (const kind of kinds.flatMap((entry) => (isEither(entry) ? Object.values(entry.$either) : [entry]))) {
    const name = nameOf(kind)
    const values = byName.get(name)
    byName.set(name, values === undefined ? kind : joinedOfOne(values, kind))
  }
  const names = [...byName.keys()]
  if (byName.has("any") || names.length === 6) return "any"
  const object = byName.get("object")
  if (names.length === 2 && byName.has("null") && typeof object === "object") return object
  const [first] = byName.values()
  return names.length === 1 && first !== undefined ? first : { $either: Object.fromEntries(byName) }
}

function joinedOfOne(a: Kind, b: Kind): Kind {
  if (Array.isArray(a) && Array.isArray(b)) return [joined([a[0], b[0]])]
  if (typeof a === "string" || typeof b === "string") return nameOf(a) as Kind
  if ("$words" in a && "$words" in b) return { $words: [...new Set([...(a.$words as []), ...(b.$words as [])])] }
  if ("$each" in a || "$each" in b) return "object"
  const [left, right] = [a as OptionFields, b as OptionFields]
  const shared = Object.entries(right).map(([name, kind]) => [name, name in left ? joined([left[name]!, kind]) : kind])
  return { ...left, ...Object.fromEntries(shared) }
}

function isEither(kind: Kind): kind is { readonly $either: Readonly<Record<string, Kind>> } {
  return typeof kind === "object" && "$either" in kind
}

function nameOf(kind: Kind): string {
  if (typeof kind === "string") return kind
  return Array.isArray(kind) ? "list" : "$words" in kind ? "text" : "object"
}
