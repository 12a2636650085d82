import { UsageError } from "../../core/errors.ts"

/** One step of a path: a member's name, a place in a list, or every item of one. */
type Step = string | number | typeof everyItem

const everyItem = Symbol("[*]")

/** Finds values in JSON; more than one where the path has `[*]`. */
export type JsonPath = (value: unknown) => readonly unknown[]

/**
 * Reads a path into JSON: names joined by dots, places in brackets, `[*]` for every item of a list; `$` is all of it.
 *
 * @throws UsageError for what is no path
 * @example parsePath("sources[*].text", "passages")({ sources: [{ text: "a" }, { text: "b" }] }) // ["a", "b"]
 */
export function parsePath(text: string, where: string): JsonPath {
  const path = text === "$" ? "" : text.replace(/^\$\./, "")
  const pieces = [...path.matchAll(/(?:^|\.)([^.[\]]+)|\[(\d+|\*)\]/gy)]
  const read = pieces.reduce((length, [piece]) => length + piece.length, 0)
  if (text === "" || read !== path.length)
    throw new UsageError("not a path into JSON", {
      where: `${where}: ${text.slice(0, 80)}`,
      hint: 'write for example "data.answer", "choices[0].text" or "sources[*].text"',
    })
  const steps = pieces.map(([, name, index]): Step => name ?? (index === "*" ? everyItem : Number(index)))
  return (value) => steps.reduce<readonly unknown[]>((list, step) => list.flatMap((item) => next(item, step)), [value])
}

function next(value: unknown, step: Step): readonly unknown[] {
  if (value === null || typeof value !== "object") return []
  if (typeof step === "string") return Object.hasOwn(value, step) ? [Reflect.get(value, step)] : []
  if (!Array.isArray(value)) return []
  if (step === everyItem) return value
  return step < value.length ? [value[step]] : []
}
