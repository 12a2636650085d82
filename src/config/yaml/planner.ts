import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type ConfigNode, plainValue } from "./config-node.ts"
import type { Schema } from "./config-schema.ts"
import { type Plan, type Planner, planFault, planOf } from "./plan.ts"
import { planMade } from "./plan-made.ts"
import { planMap } from "./plan-map.ts"
import { expected, got } from "./words.ts"

/** A planner over the definitions of a schema. */
export function plannerOf(definitions: Readonly<Record<string, Schema>>): Planner {
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolved(definitions[schema.$ref.slice("#/definitions/".length)] ?? {})
  const planner: Planner = {
    resolve: resolved,
    plan: (node, schema, path) => planNode(node, resolved(schema), path, planner),
  }
  return planner
}

function planNode(node: ConfigNode, schema: Schema, path: string, planner: Planner): Plan {
  if (schema["x-is"] === "code")
    return planFault(node.at, `${path}: only TypeScript can say this; write eval.config.ts for it`)
  if (schema["x-made"]) return planMade(node, schema, path, planner)
  if (schema.anyOf) return best(schema.anyOf, node, path, planner)
  if (schema.type === "array" && node.kind === "list") return planList(node, schema.items ?? {}, path, planner)
  if (schema.type === "object" && node.kind === "map") return planMap(node, schema, path, planner)
  if (schema.type === undefined) return planOf(plainValue(node))
  if (!fits(node, schema))
    return planFault(node.at, `${path}: expected ${expected(schema, planner)}, got ${got(node)}${quotes(node, schema)}`)
  if (schema["x-is"] === "path" && node.kind === "text") return planPath(node.value)
  return planOf(plainValue(node))
}

/** A path starts at the config's folder, as everything that a config names. */
function planPath(text: string): Plan {
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return planOf(text)
  return { faults: [], make: ({ folder }) => pathToFileURL(resolve(folder, text)) }
}

const kinds = {
  string: "text",
  number: "number",
  boolean: "boolean",
  null: "null",
  array: "list",
  object: "map",
} as const

function fits(node: ConfigNode, { type, enum: allowed }: Schema): boolean {
  if (type !== undefined && kinds[type] !== node.kind) return false
  return !allowed || allowed.includes(plainValue(node) as string)
}

/** Of several forms the first without a fault, else the one that is most like what stands there. */
function best(forms: readonly Schema[], node: ConfigNode, path: string, planner: Planner): Plan {
  const plans = forms.map((form) => ({ form: planner.resolve(form), plan: planner.plan(node, form, path) }))
  const good = plans.find(({ plan }) => plan.faults.length === 0)
  if (good) return good.plan
  const likely = plans.filter(({ form }) => isLikely(node, form, planner))
  const [first] = likely.toSorted((a, b) => a.plan.faults.length - b.plan.faults.length)
  if (first) return first.plan
  return planFault(
    node.at,
    `${path}: expected ${forms.map((form) => expected(planner.resolve(form), planner)).join(" or ")}, got ${got(node)}`,
  )
}

function isLikely(node: ConfigNode, form: Schema, planner: Planner): boolean {
  if (form.anyOf) return form.anyOf.some((schema) => isLikely(node, planner.resolve(schema), planner))
  return form.type !== undefined && kinds[form.type] === node.kind && (form.enum === undefined || form.enum.length > 1)
}

function planList(node: ConfigNode & { kind: "list" }, items: Schema, path: string, planner: Planner): Plan {
  const plans = node.items.map((item, i) => planner.plan(item, items, `${path}[${i}]`))
  return { faults: plans.flatMap(({ faults }) => faults), make: (making) => plans.map(({ make }) => make(making)) }
}

function quotes(node: ConfigNode, { type }: Schema): string {
  const isScalar = node.kind === "number" || node.kind === "boolean" || node.kind === "null"
  return type === "string" && isScalar ? "; write a text that looks like something else in quotes" : ""
}
