import { createRequire } from "node:module"
import { join } from "node:path"
import type { JsonValue } from "../../../src/core/json.ts"
import type { PublishedBodies } from "./types.ts"

/** What a body is of: a request of one of the services, or what a batch is made of. */
export type BodyKind = keyof PublishedBodies

interface Validate {
  (body: JsonValue): boolean
  readonly errors?: readonly SchemaError[] | null
}

interface SchemaError {
  readonly instancePath: string
  readonly message?: string
  readonly params: { readonly additionalProperty?: string; readonly allowedValues?: readonly JsonValue[] }
}

const load = createRequire(import.meta.url)

/**
 * What is wrong with a body by the schema of its service's published type: the member's path, what the schema says of it, and the schema's
 * name. Of several faults, it is the one that lies deepest.
 *
 * @returns null: nothing
 */
export function faultOfBody(kind: BodyKind, body: JsonValue): string | null {
  const validate: Validate = load(join(process.env.EVALKIT_PUBLISHED_SCHEMAS ?? "", `${kind}.cjs`))
  if (validate(body)) return null
  const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty: unknown, allowedValues } = params
    const what = unknown === undefined ? `${message ?? ""} ${allowedValues?.join(", ") ?? ""}`.trim() : "is not known"
    return { path: `${instancePath}${unknown === undefined ? "" : `/${unknown}`}`, what }
  })
  const depth = (path: string) => path.split("/").length
  const [fault] = faults.toSorted((a, b) => depth(b.path) - depth(a.path))
  return `${fault?.path || "the body"} ${fault?.what} (${kind})`
}
