/**
 * The part of JSON Schema (draft 7) that the schema of configs is written in. Three keywords are evalkit's own: editors pass over them,
 * and the reader of configs goes by them.
 */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: "string" | "number" | "boolean" | "null" | "array" | "object"
  readonly enum?: readonly (string | number | boolean)[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  /** What is made here, and the factories that would fit and can only be called by TypeScript. */
  readonly "x-made"?: { readonly kind: string; readonly code: readonly string[] }
  /** A call: its parameters in their order; all other fields are its options. */
  readonly "x-call"?: { readonly parameters: readonly string[]; readonly hasOptions: boolean }
  /** `"path"`: a path from the config's folder, or an address. `"code"`: what only TypeScript can say, such as a function. */
  readonly "x-is"?: "path" | "code"
}

/** The schema of a whole config. */
export interface ConfigSchema extends Schema {
  readonly $schema: string
  readonly title: string
  readonly definitions: Readonly<Record<string, Schema>>
}
