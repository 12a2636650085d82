import { createRequire } from "node:module"
import type { ToolOutcome } from "../../core/episode/tool-outcome.ts"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { compileSchema } from "../../text/json-schema.ts"

/** A schema of zod 4, by what of it is used: zod is not among what evalkit installs. @public */
export interface ZodSchema<Output = unknown> {
  readonly _zod: { readonly output: Output }
  safeParseAsync(value: unknown): Promise<
    | { readonly success: true; readonly data: Output }
    | {
        readonly success: false
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
        }
      }
  >
}

/** Arguments of a tool: a zod schema, or JSON schema. @public */
export type ArgumentSchema = ZodSchema | JsonObject

/** What code gets that is called with arguments of a schema. @public */
export type Typed<Schema extends ArgumentSchema> = Schema extends ZodSchema<infer Output> ? Output : JsonObject

/** A schema of arguments, as services are sent it, and as it is checked. */
export interface ToolSchema {
  readonly json: JsonObject
  /** What the arguments are, or what is wrong with them. */
  check(value: JsonValue): Promise<{ readonly value: unknown } | { readonly fault: string }>
}

/** @throws UsageError for a schema that cannot be read, naming `where` */
export function toolSchema(schema: ArgumentSchema, where: string): ToolSchema {
  if (isZod(schema)) return zodSchema(schema, where)
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || schema.type !== "object")
    throw new UsageError("the parameters of a tool are a zod schema, or JSON schema of an object", {
      where,
      hint: 'write for example { type: "object", properties: { city: { type: "string" } }, required: ["city"] }',
    })
  return jsonSchema(schema, where)
}

/** The arguments that a model sent, checked; or the class in which the call ends. */
export async function readArguments(
  schema: ToolSchema,
  value: JsonValue,
): Promise<{ readonly value: unknown } | { readonly outcome: ToolOutcome; readonly message: string }> {
  // What is no JSON comes as a text; a call without arguments comes as an empty object.
  if (typeof value === "string")
    return { outcome: "malformed_arguments", message: "the arguments are not JSON; send one JSON object" }
  const checked = await schema.check(value)
  return "value" in checked ? checked : { outcome: "invalid_arguments", message: checked.fault }
}

function isZod(schema: ArgumentSchema): schema is ZodSchema {
  return typeof schema === "object" && schema !== null && "_zod" in schema
}

function zodSchema(schema: ZodSchema, where: string): ToolSchema {
  return {
    json: describedBy(schema, where),
    async check(value) {
      const read = await schema.safeParseAsync(value)
      if (read.success) return { value: read.data }
      const issue = read.error.issues[0]
      return { fault: `${issue?.path.join(".") || "arguments"}: ${issue?.message ?? "not what the schema asks for"}` }
    },
  }
}

function describedBy(schema: ZodSchema, where: string): JsonObject {
  try {
    // Loaded only where a config has such a schema, and so has loaded it itself.
    const zod = createRequire(import.meta.url)("zod") as {
      toJSONSchema(schema: ZodSchema, options: { readonly io: "input" }): JsonObject
    }
    const { $schema: _dialect, ...json } = zod.toJSONSchema(schema, { io: "input" })
    if (json.type !== "object") throw new Error("it does not describe an object")
    return JSON.parse(JSON.stringify(json)) as JsonObject
  } catch (cause) {
    throw new UsageError(`the schema of the arguments cannot be written as JSON schema: ${messageOf(cause)}`, {
      where,
      cause,
    })
  }
}

/** ajv is loaded at the first call. */
function jsonSchema(json: JsonObject, where: string): ToolSchema {
  let compiled: Promise<ToolSchema["check"]> | undefined
  const compile = async (): Promise<ToolSchema["check"]> => {
    const validate = await compileSchema(json, { where, formats: "ignored" })
    return (value) => {
      if (validate(value)) return Promise.resolve({ value: value })
      const issue = validate.errors?.[0]
      const at = issue?.instancePath.slice(1).replaceAll("/", ".") || "arguments"
      return Promise.resolve({ fault: `${at}: ${issue?.message ?? "not what the schema asks for"}` })
    }
  }
  return {
    json,
    async check(input) {
      compiled ??= compile()
      return (await compiled)(input)
    },
  }
}
