import { z } from "zod"
import { isObject } from "../core/json-members.ts"

/** What a member of a made value must be. */
const kinds = {
  text: ["a text", (value: unknown) => typeof value === "string"],
  function: ["a function", (value: unknown) => typeof value === "function"],
  object: ["an object", (value: unknown) => isObject(value)],
  price: ["a price { kind, ... }, or null", (value: unknown) => value === null || isPrice(value)],
  texts: ["a list of texts", (value: unknown) => isListOf(value, "string")],
  list: ["a list", (value: unknown) => Array.isArray(value)],
  range: [
    "[smallest, largest]: two numbers, ±Infinity where there is none",
    (value: unknown) => isListOf(value, "number") && value.length === 2 && value.every((item) => !Number.isNaN(item)),
  ],
  direction: ['"higher" or "lower"', (value: unknown) => value === "higher" || value === "lower"],
  aggregation: ['{ kind: "mean" }, { kind: "rows" } or { kind: "sum", size, vector, score }', isAggregation],
  json: ["an object of JSON values", (value: unknown) => isPlainJson(value)],
  boolean: ["true or false", (value: unknown) => typeof value === "boolean"],
} as const satisfies Readonly<Record<string, readonly [string, (value: unknown) => boolean]>>

function isPrice(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string"
}

function isAggregation(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { kind, size, vector, score } = value as Readonly<Record<string, unknown>>
  if (kind !== "sum") return kind === "mean" || kind === "rows"
  return Number.isSafeInteger(size) && typeof vector === "function" && typeof score === "function"
}

function isPlainJson(value: unknown): boolean {
  return isObject(value) && z.json().safeParse(value).success
}

function isListOf(value: unknown, type: "string" | "number"): value is readonly unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item === type)
}

/** What members of a value must be, by their names. */
type Members = Readonly<Record<string, keyof typeof kinds>>

/**
 * A value made by one of evalkit's functions, or by hand in the same shape. Without all of `marks` it is something else, and the
 * message says what was `expected`; else each member that is not as it must be is named.
 */
export function made<T>(expected: string, marks: Members, members: Members = {}, optional: Members = {}): z.ZodType<T> {
  const names = Object.keys(marks)
  return z
    .custom<T>((value) => hasMembers(value, names), { error: () => expected, abort: true })
    .superRefine((value, context) => {
      for (const [name, kind] of Object.entries({ ...marks, ...members, ...optional })) {
        if (isComputed(value as object, name)) continue
        const member: unknown = Reflect.get(value as object, name)
        if (member === undefined && Object.hasOwn(optional, name)) continue
        const [words, isGood] = kinds[kind]
        if (!isGood(member)) context.addIssue({ code: "custom", path: [name], message: words })
      }
    })
}

/** The identity of a local model is a hash of its file: computed when a run needs it, not when a config is read. */
function isComputed(value: object, name: string): boolean {
  return name === "identity" && Object.getOwnPropertyDescriptor(value, name)?.get !== undefined
}

function hasMembers(value: unknown, names: readonly string[]): boolean {
  return typeof value === "object" && value !== null && names.every((name) => name in value)
}
