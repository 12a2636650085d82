import type { z } from "zod"
import { describe } from "../core/options.ts"

type Issue = z.core.$ZodIssue

/**
 * One line per fault of a config: its path, what was expected and what was there.
 *
 * @example "variants[1].prompt: expected a template such as \"{{input}}\", or prompt(...), got 3"
 */
export function issueLines(issues: readonly Issue[], config: unknown): string[] {
  return issues.map((issue) => line(issue, config, []))
}

function line(issue: Issue, config: unknown, base: readonly PropertyKey[]): string {
  const path = [...base, ...issue.path]
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const deepest = issue.errors.flat().find((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys")
    if (deepest) return line(deepest, config, path)
    const expected = issue.errors.flat().map(expectation)
    return `${pathText(path)}: expected ${[...new Set(expected)].join(" or ")}, got ${describe(valueAt(config, path))}`
  }
  if (issue.code === "unrecognized_keys") return `${pathText(path)}: ${issue.message}`
  return `${pathText(path)}: expected ${expectation(issue)}, got ${describe(valueAt(config, path))}`
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : (typeNames.get(issue.expected) ?? issue.expected)
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ")
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? `at least ${issue.minimum} ${issue.origin === "string" ? "characters" : "entries"}`
        : `a number ${issue.inclusive ? "at least" : "above"} ${issue.minimum}`
    case "too_big":
      return issue.origin === "array"
        ? `at most ${issue.maximum} entries`
        : `a number ${issue.inclusive ? "at most" : "below"} ${issue.maximum}`
    case "invalid_union":
      return issue.errors.length === 0 ? "one of the known kinds" : issue.errors.flat().map(expectation).join(" or ")
    default:
      return issue.message
  }
}

const typeNames = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
])

/** `["variants", 1, "prompt"]` → `variants[1].prompt`; the empty path is `config`. */
function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "config"
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text === "" ? "" : "."}${String(key)}`),
    "",
  )
}

function valueAt(config: unknown, path: readonly PropertyKey[]): unknown {
  let value = config
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
