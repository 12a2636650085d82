import { type Signature, SymbolFlags, type Symbol as TypeSymbol } from "typescript/unstable/sync"
import type { Schema } from "../../src/config/yaml/config-schema.ts"
import type { PublicValue } from "./public-values.ts"
import type { SchemaMaker } from "./schema-maker.ts"

/** How a factory is called from YAML: what may follow its name, and whether its name alone will do. */
export interface CallSchema {
  readonly schema: Schema
  readonly isBare: boolean
}

/** The calls of a factory; null where each needs something that only TypeScript can write. */
export function callSchema(value: PublicValue, writer: SchemaMaker): CallSchema | null {
  const calls = value.signatures.map((signature) => signatureSchema(signature, writer)).filter((call) => call !== null)
  const [first] = calls
  if (!first) return null
  const forms = calls.flatMap(({ schema }) => schema.anyOf ?? [schema])
  return {
    schema:
      forms.length === 1
        ? first.schema
        : { anyOf: [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()] },
    isBare: calls.some(({ isBare }) => isBare),
  }
}

/** Whether a field that must be there can only be written by TypeScript. */
export function needsCode({ properties = {}, required = [] }: Schema): boolean {
  return required.some((name) => properties[name]?.["x-is"] === "code")
}

function signatureSchema(signature: Signature, writer: SchemaMaker): CallSchema | null {
  const all = signature.getParameters()
  const last = all.at(-1)
  const bag = last && optionsOf(last, writer)
  const parameters = bag ? all.slice(0, -1) : all
  const fields = parameters.map((symbol) => ({ symbol, schema: writer.field(symbol), isOptional: isOptional(symbol) }))
  const object: Schema = {
    type: "object",
    properties: {
      ...Object.fromEntries(fields.map(({ symbol, schema }) => [symbol.name, schema])),
      ...bag?.properties,
    },
    required: [...fields.filter((own) => !own.isOptional).map(({ symbol }) => symbol.name), ...(bag?.required ?? [])],
    additionalProperties: false,
    "x-call": { parameters: parameters.map(({ name }) => name), hasOptions: bag !== null && bag !== undefined },
  }
  if (needsCode(object)) return null
  const clash = fields.find(({ symbol }) => Object.hasOwn(bag?.properties ?? {}, symbol.name))
  if (clash) throw new Error(`the parameter ${clash.symbol.name} and an option have one name`)
  const isBare = object.required?.length === 0
  const [first] = fields
  // The first parameter may stand alone where it is no object: an object always names the parameters.
  const alone =
    first && object.required?.every((name) => name === first.symbol.name) ? withoutObjects(first.schema, writer) : null
  return { schema: alone ? { anyOf: [alone, object] } : object, isBare }
}

function withoutObjects(schema: Schema, writer: SchemaMaker): Schema | null {
  const forms = schema.anyOf && !schema["x-made"] ? schema.anyOf : [schema]
  const kept = forms.filter((form) => !["object", undefined].includes(writer.resolved(form).type))
  if (kept.length === 0) return null
  const alone = kept.length === 1 ? (kept[0] as Schema) : { anyOf: kept }
  return { ...alone, ...(schema.description && { description: schema.description }) }
}

/** The fields of a last parameter that is a bag of options, as all factories have it. */
function optionsOf(symbol: TypeSymbol, writer: SchemaMaker): Schema | null {
  const type = writer.checker.getTypeOfSymbol(symbol)
  const argument = type && writer.checker.getNonNullableType(type)
  if (!argument || !/^(options|window)$/.test(symbol.name)) return null
  if (argument.isUnionType()) throw new Error(`options that are a union: ${writer.checker.typeToString(argument)}`)
  return writer.members(argument)
}

function isOptional(symbol: TypeSymbol): boolean {
  if (symbol.flags & SymbolFlags.Optional) return true
  const node = symbol.valueDeclaration?.resolve()
  const parameter = node as { readonly initializer?: unknown; readonly questionToken?: unknown } | undefined
  return parameter?.initializer !== undefined || parameter?.questionToken !== undefined
}
