import type { Checker, Type, Symbol as TypeSymbol } from "typescript/unstable/sync"
import type { Schema } from "../../src/config/yaml/config-schema.ts"

/** Writes types as schemas. */
export interface SchemaMaker {
  readonly checker: Checker
  /** A field or a parameter, with what its doc comment says. */
  field(symbol: TypeSymbol): Schema
  /** The fields of an object. */
  members(type: Type): Schema & { readonly properties: Readonly<Record<string, Schema>> }
  /** What `$ref` points at; a type that is being written counts as sayable. */
  resolved(schema: Schema): Schema
}
