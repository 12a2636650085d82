import {
  type Checker,
  type Signature,
  SignatureKind,
  SymbolFlags,
  type Type,
  type Symbol as TypeSymbol,
} from "typescript/unstable/sync"
import type { Schema } from "../../src/config/yaml/config-schema.ts"
import { callSchema, needsCode } from "./call-schema.ts"
import { describeSymbol } from "./description.ts"
import type { PublicValue } from "./public-values.ts"
import type { SchemaMaker } from "./schema-maker.ts"
import { literalOf, primitive, unionOf } from "./union.ts"

/** Where a value that nothing in YAML can say would stand. */
const code: Schema = { "x-is": "code" }

/** Writes types as schemas, each named type once. */
export class SchemaWriter implements SchemaMaker {
  readonly checker: Checker
  readonly #values: readonly PublicValue[]
  readonly #made: ReadonlySet<string>
  readonly #definitions = new Map<string, Schema>()

  constructor(checker: Checker, values: readonly PublicValue[]) {
    this.checker = checker
    this.#values = values
    this.#made = new Set(
      values.filter((value) => !this.#isIdentity(value)).flatMap(({ types }) => types.flatMap(nameOf)),
    )
  }

  definitions(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A type as a schema; {@link code} where only TypeScript can write its values. */
  schemaOf(type: Type): Schema {
    if (type.isTypeParameter()) {
      const constraint = this.checker.getConstraintOfTypeParameter(type)
      return constraint ? this.schemaOf(constraint) : {}
    }
    const alias = type.getAliasSymbol()?.name
    if (alias === "JsonValue") return {}
    const simple = primitive(type) ?? literalOf(type)
    if (simple) return simple
    if (type.isUnionType()) return unionOf(type.getTypes(), (entry) => this.schemaOf(entry))
    if (this.checker.isTupleType(type)) return { type: "array", items: {} }
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type as never)
      const items = item ? this.schemaOf(item) : {}
      return items["x-is"] === "code" ? code : { type: "array", items }
    }
    return this.#objectOf(type)
  }

  /** The fields of an object. */
  members(type: Type): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
    const fields = this.checker.getPropertiesOfType(type).map((symbol) => [symbol, this.field(symbol)] as const)
    const required = fields.filter(([{ flags }]) => !(flags & SymbolFlags.Optional)).map(([{ name }]) => name)
    const [index] = this.checker.getIndexInfosOfType(type)
    return {
      type: "object",
      properties: Object.fromEntries(fields.map(([{ name }, schema]) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: index ? this.schemaOf(index.valueType) : false,
    }
  }

  /** A field or a parameter, with what its doc comment says. */
  field(symbol: TypeSymbol): Schema {
    const type = this.checker.getTypeOfSymbol(symbol)
    const description = describeSymbol(symbol, this.checker)
    return { ...(type ? this.schemaOf(type) : {}), ...(description && { description }) }
  }

  #objectOf(type: Type): Schema {
    const name = nameOf(type)[0]
    if (name !== undefined && (this.#made.has(name) || this.#hasFunction(type)))
      return this.#defined(name, () => this.#madeOf(type, name))
    if (this.checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return code
    const properties = this.checker.getPropertiesOfType(type)
    const indexes = this.checker.getIndexInfosOfType(type)
    if (name === "JsonObject") return { type: "object" }
    if (properties.length === 0 && indexes.length === 0) return {}
    if (name === undefined || type.getAliasTypeArguments().length > 0 || name === "Omit") return this.#plain(type)
    return this.#defined(name, () => this.#plain(type))
  }

  /** Something that works must be made: no YAML can hold its functions. */
  #hasFunction(type: Type): boolean {
    return this.checker.getPropertiesOfType(type).some((symbol) => {
      const member = this.checker.getTypeOfSymbol(symbol)
      const calls = member ? this.checker.getSignaturesOfType(member, SignatureKind.Call) : []
      return !(symbol.flags & SymbolFlags.Optional) && calls.length > 0
    })
  }

  #plain(type: Type): Schema {
    const members = this.members(type)
    const isCode = members.additionalProperties !== true && needsCode(members)
    return isCode || this.#isIndexOfCode(members) ? code : members
  }

  #isIndexOfCode({ additionalProperties }: Schema): boolean {
    return typeof additionalProperties === "object" && this.resolved(additionalProperties)["x-is"] === "code"
  }

  /** What `$ref` points at; a type that is being written counts as sayable. */
  resolved(schema: Schema): Schema {
    return schema.$ref === undefined
      ? schema
      : (this.#definitions.get(schema.$ref.slice("#/definitions/".length)) ?? {})
  }

  #defined(name: string, write: () => Schema): Schema {
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, {})
      const written = write()
      if (written["x-is"] === "code") {
        this.#definitions.delete(name)
        return code
      }
      this.#definitions.set(name, written)
    }
    return { $ref: `#/definitions/${name}` }
  }

  /** Everything public whose result fits, by name. */
  #madeOf(type: Type, name: string): Schema {
    const fitting = this.#values.filter((value) => !this.#isIdentity(value) && this.#fits(value, type, name))
    const bare: string[] = []
    const calls: Record<string, Schema> = {}
    const beyond: string[] = []
    for (const value of fitting) {
      const description = describeSymbol(value.symbol, this.checker)
      if (value.signatures.length === 0) {
        bare.push(value.name)
        continue
      }
      const call = callSchema(value, this)
      if (call === null) beyond.push(value.name)
      else {
        if (call.isBare) bare.push(value.name)
        this.#definitions.set(`${value.name}()`, { ...(description && { description }), ...call.schema })
        calls[value.name] = { $ref: `#/definitions/${value.name}()` }
      }
    }
    if (bare.length === 0 && Object.keys(calls).length === 0) return code
    return {
      "x-made": { kind: name, code: beyond },
      anyOf: [
        ...(bare.length > 0 ? [{ type: "string" as const, enum: bare }] : []),
        ...(Object.keys(calls).length > 0
          ? [
              {
                type: "object" as const,
                properties: calls,
                additionalProperties: false,
                minProperties: 1,
                maxProperties: 1,
              },
            ]
          : []),
      ],
    }
  }

  #fits({ types }: PublicValue, expected: Type, name: string): boolean {
    return types.some((type) => nameOf(type).includes(name) || this.checker.isTypeAssignableTo(type, expected))
  }

  /** `variant`, `defineConfig`: they only give back what they were given, to give it a type. */
  #isIdentity({ signatures }: PublicValue): boolean {
    return signatures.some((signature) => {
      const [argument] = signature.getParameters().map((symbol) => this.checker.getTypeOfSymbol(symbol))
      const back = this.checker.getReturnTypeOfSignature(signature)
      if (argument?.id !== back?.id || !back) return false
      const makers = this.#values.filter(({ types }) => types.some((type) => type.id === back.id))
      return makers.every((maker) =>
        maker.signatures.every((entry) => entry.getParameters().length === 1 && this.#takes(entry, back)),
      )
    })
  }

  #takes(signature: Signature, type: Type): boolean {
    const [first] = signature.getParameters()
    return first !== undefined && this.checker.getTypeOfSymbol(first)?.id === type.id
  }
}

/** The names of a type that a reader of the code would know: `Provider`. */
function nameOf(type: Type): readonly string[] {
  const name = type.isObjectType() ? (type.getAliasSymbol()?.name ?? type.getSymbol()?.name) : undefined
  const symbol = type.isObjectType() ? type.getSymbol()?.name : undefined
  const best = name === "AnyMetric" ? symbol : name
  return best === undefined ||
    best.startsWith("__") ||
    /^(Promise|Array|ReadonlyArray|Readonly|Record|Partial|Pick)$/.test(best)
    ? []
    : [best]
}
