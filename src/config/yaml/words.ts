import { describe } from "../../core/options.ts"
import { type ConfigNode, plainValue } from "./config-node.ts"
import type { Schema } from "./config-schema.ts"
import type { Planner } from "./plan.ts"

const words = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  null: "null",
  array: "a list",
  object: "an object",
} as const

/** A form in a few words, for "expected …". */
export function expected(schema: Schema, planner: Planner): string {
  if (schema["x-made"]) return `a ${schema["x-made"].kind} such as ${factories(schema).slice(0, 3).join(", ")}`
  if (schema.anyOf) return schema.anyOf.map((form) => expected(planner.resolve(form), planner)).join(" or ")
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ")
  return schema["x-is"] === "path" ? "a path" : schema.type ? words[schema.type] : "anything"
}

/** What stands there, for "got …". */
export function got(node: ConfigNode): string {
  return node.kind === "null" ? "nothing" : describe(plainValue(node))
}

/** Every name that a made value may begin with. */
export function factories({ anyOf = [] }: Schema): readonly string[] {
  return [
    ...new Set(
      anyOf.flatMap(({ enum: bare = [], properties = {} }) => [...bare.map(String), ...Object.keys(properties)]),
    ),
  ]
}
