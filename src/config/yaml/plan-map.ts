import { nearest } from "../../core/did-you-mean.ts"
import { type ConfigNode, plainValue } from "./config-node.ts"
import type { Schema } from "./config-schema.ts"
import { type Plan, type Planner, planFault, planOf } from "./plan.ts"

/** A map whose fields are known, or are all of one kind. */
export function planMap(node: ConfigNode & { kind: "map" }, schema: Schema, path: string, planner: Planner): Plan {
  const { properties = {}, additionalProperties = true, required = [] } = schema
  const inside = (name: string) => (path === "config" ? name : `${path}.${name}`)
  const fields = [...node.entries].map(([name, { keyAt, value }]): readonly [string, Plan] => {
    const member = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (member === true) return [name, planOf(plainValue(value))]
    if (member !== undefined && member !== false) return [name, planner.plan(value, member, inside(name))]
    return [name, planFault(keyAt, `${path}: unknown field "${name}"${meant(name, Object.keys(properties))}`)]
  })
  const missing = required.filter((name) => !node.entries.has(name))
  return {
    faults: [
      ...fields.flatMap(([, { faults }]) => faults),
      ...missing.map((name) => ({ at: node.at, message: `${path}: it needs ${name}` })),
    ],
    make: (making) => Object.fromEntries(fields.map(([name, { make }]) => [name, make(making)])),
  }
}

/** `; did you mean "model"?`, or what there is. */
export function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names) ?? names.find((entry) => entry.endsWith(`.${name}`))
  if (near !== undefined) return `; did you mean "${near}"?`
  return names.length > 0 ? ` (known: ${names.slice(0, 40).join(", ")}${names.length > 40 ? " …" : ""})` : ""
}
