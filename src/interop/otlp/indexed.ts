import type { JsonValue } from "../../core/json.ts"
import type { Attributes } from "./span.ts"

/** More messages, or members of one, than a prompt has. */
const maxPlaces = 10_000
/** `0.message.tool_calls.0.tool_call.function.arguments` has 7. */
const maxParts = 12

/**
 * The list that attributes such as `gen_ai.prompt.0.role` or `llm.input_messages.0.message.content` spell out, in the order of its
 * numbers. Empty where there are none.
 */
export function indexedList(attributes: Attributes, prefix: string): readonly JsonValue[] {
  const root: Branch = new Map()
  for (const [name, value] of attributes) {
    if (!name.startsWith(`${prefix}.`)) continue
    const parts = name.slice(prefix.length + 1).split(".", maxParts + 1)
    if (parts.length <= maxParts && isPlace(parts[0])) grow(root, parts, value)
  }
  const list = asJson(root)
  return Array.isArray(list) ? (list as readonly JsonValue[]) : []
}

type Branch = Map<string, Branch | { readonly leaf: JsonValue }>

function grow(root: Branch, parts: readonly string[], value: JsonValue): void {
  let branch = root
  for (const part of parts.slice(0, -1)) {
    const next = branch.get(part)
    const deeper: Branch = next instanceof Map ? next : new Map()
    branch.set(part, deeper)
    branch = deeper
  }
  const last = parts.at(-1) as string
  if (!branch.has(last)) branch.set(last, { leaf: value })
}

function asJson(branch: Branch): JsonValue {
  const entries = [...branch].map(([name, value]): [string, JsonValue] => [
    name,
    value instanceof Map ? asJson(value) : value.leaf,
  ])
  if (!entries.every(([name]) => isPlace(name))) return Object.fromEntries(entries)
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
}

function isPlace(part: string | undefined): boolean {
  return part !== undefined && /^\d{1,5}$/.test(part) && Number(part) < maxPlaces
}
