import { type Type, TypeFlags } from "typescript/unstable/sync"
import type { Schema } from "../../src/config/yaml/config-schema.ts"

/** Text, number, true or false, null, or anything; null for what is made of parts. */
export function primitive(type: Type): Schema | null {
  const is = (flags: number) => (type.flags & flags) !== 0
  if (is(TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive)) return {}
  if (is(TypeFlags.Null)) return { type: "null" }
  if (is(TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) return { type: "string" }
  if (is(TypeFlags.Number)) return { type: "number" }
  if (is(TypeFlags.Boolean)) return { type: "boolean" }
  if (is(TypeFlags.Undefined | TypeFlags.Never | TypeFlags.ESSymbolLike | TypeFlags.BigIntLike))
    return { "x-is": "code" }
  return null
}

/** One value that is allowed. */
export function literalOf(type: Type): Schema | null {
  if (type.isBooleanLiteralType()) return { type: "boolean", enum: [type.value as boolean] }
  if (type.isStringLiteralType()) return { type: "string", enum: [type.value] }
  return type.isNumberLiteralType() ? { type: "number", enum: [type.value] } : null
}

/** What is allowed in one of several forms; forms that only TypeScript can write are left out. */
export function unionOf(types: readonly Type[], schemaOf: (type: Type) => Schema): Schema {
  const isPath = types.some((type) => type.getSymbol()?.name === "URL")
  const all = types.filter(({ flags }) => !(flags & TypeFlags.Undefined)).map(schemaOf)
  const forms = joined(all.filter((form) => form["x-is"] !== "code"))
  if (forms.length === 0) return { "x-is": "code" }
  const marked = forms.map((form) => (isPath && form.type === "string" ? { ...form, "x-is": "path" as const } : form))
  return marked.length === 1 ? (marked[0] as Schema) : { anyOf: marked }
}

/** Allowed values of one type as one list; `true` and `false` together are a boolean; the same form once. */
function joined(forms: readonly Schema[]): readonly Schema[] {
  const lists = new Map<string, (string | number | boolean)[]>()
  const others = new Map<string, Schema>()
  for (const form of forms) {
    if (form.enum && form.type) lists.set(form.type, [...(lists.get(form.type) ?? []), ...form.enum])
    else if (form.anyOf && !form["x-made"]) for (const inner of form.anyOf) others.set(JSON.stringify(inner), inner)
    else others.set(JSON.stringify(form), form)
  }
  const enums = [...lists].map(([type, values]): Schema => {
    if (type === "boolean" && values.length === 2) return { type: "boolean" }
    return { type: type as "string", enum: values }
  })
  // A form that takes anything makes the rest needless.
  const any = [...others.values()].find((form) => Object.keys(form).length === 0)
  return any ? [any] : [...enums, ...others.values()]
}
