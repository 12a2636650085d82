import fc from "fast-check"
import { hostileTexts } from "../support/hostile-texts.ts"

/** Texts that break readers, terminals, shells and spreadsheets, and arbitrary ones. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("", "-", "--", "-1", "0", "1e999", "NaN", "-0", "0x10", "1_000", "a,b", "true"),
  },
  { weight: 1, arbitrary: fc.nat(3).map((power) => "x".repeat(10 ** (power + 1))) },
)

const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 1e15),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)

/** Any JSON value, with names that objects have anyway, and deep nesting now and then. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 4, arbitrary: numbers },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("__proto__", "constructor", "toString", "length", "kind", "then"),
        fc.jsonValue({ maxDepth: 1 }),
      )
      .map(([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)),
  },
  { weight: 1, arbitrary: fc.constantFrom(600, 1500).map(nested) },
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

/** One change of a JSON value, at a place that is counted through all its members. */
export interface JsonEdit {
  readonly at: number
  readonly kind: "replace" | "delete" | "duplicate" | "rename" | "wrap"
  readonly value: unknown
}

/** Changes of a JSON value. */
export const jsonEdits = (most = 3, values: fc.Arbitrary<unknown> = junk): fc.Arbitrary<readonly JsonEdit[]> =>
  fc.array(
    fc.record({
      at: fc.nat(100_000),
      kind: fc.constantFrom("replace", "replace", "replace", "delete", "duplicate", "rename", "wrap"),
      value: values,
    }),
    { minLength: 1, maxLength: most },
  ) as fc.Arbitrary<readonly JsonEdit[]>

/** A copy with the changes made; functions and instances of classes are kept as they are. */
export function editJson(original: unknown, edits: readonly JsonEdit[]): unknown {
  const root = { value: copy(original) }
  for (const { at, kind, value } of edits) {
    const places = placesOf(root)
    const location = places[at % places.length]
    if (!location) continue
    const { holder, key } = location
    const target = holder as Record<string, unknown>
    if (kind === "replace") target[key] = value
    else if (kind === "wrap") target[key] = at % 2 ? [target[key]] : { value: target[key] }
    else if (kind === "duplicate" && Array.isArray(holder)) holder.push(copy(target[key]))
    else if (holder !== root && Array.isArray(holder)) holder.splice(Number(key), 1)
    else if (holder !== root) {
      if (kind === "rename") target[typeof value === "string" ? value.slice(0, 40) : "renamed"] = target[key]
      delete target[key]
    }
  }
  return root.value
}

/** A proxy or a getter may throw at any touch: then it is left alone. */
function isPlain(value: unknown): value is object {
  try {
    if (Array.isArray(value)) return true
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
    return Object.values(Object.getOwnPropertyDescriptors(value)).every((descriptor) => descriptor.get === undefined)
  } catch {
    return false
  }
}

function copy(value: unknown): unknown {
  if (!isPlain(value)) return value
  if (Array.isArray(value)) return value.map(copy)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]))
}

interface Place {
  readonly holder: object
  readonly key: string
}

function placesOf(root: object): Place[] {
  const places: Place[] = []
  const walk = (holder: object, depth: number): void => {
    for (const [key, member] of Object.entries(holder)) {
      places.push({ holder, key })
      if (depth < 40 && isPlain(member) && !Object.isFrozen(member)) walk(member, depth + 1)
    }
  }
  walk(root, 0)
  return places
}

/** One change of bytes. */
export interface ByteEdit {
  readonly at: number
  readonly kind: "flip" | "set" | "insert" | "delete" | "cut" | "repeat" | "text"
  readonly byte: number
  readonly length: number
  readonly text: string
}

/** Changes of bytes. */
export const byteEdits = (most = 4): fc.Arbitrary<readonly ByteEdit[]> =>
  fc.array(
    fc.record({
      at: fc.nat(2 ** 30),
      kind: fc.constantFrom("flip", "flip", "set", "set", "insert", "delete", "cut", "repeat", "text"),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 255, 0x22, 0x7b, 0x5b, 0x0a, 0x2c)),
      length: fc.oneof(fc.nat(8), fc.nat(300)),
      text: texts,
    }),
    { minLength: 1, maxLength: most },
  ) as fc.Arbitrary<readonly ByteEdit[]>

/** A copy with the changes made. */
export function editBytes(original: Uint8Array, edits: readonly ByteEdit[]): Buffer {
  let bytes = Buffer.from(original)
  for (const { at, kind, byte, length, text } of edits) {
    const index = bytes.length === 0 ? 0 : at % bytes.length
    const [before, after] = [bytes.subarray(0, index), bytes.subarray(index)]
    if (kind === "flip" && bytes.length > 0) bytes[index]! ^= 1 << (byte % 8)
    else if (kind === "set" && bytes.length > 0) bytes[index] = byte
    else if (kind === "insert") bytes = Buffer.concat([before, Buffer.alloc(length, byte), after])
    else if (kind === "delete") bytes = Buffer.concat([before, after.subarray(length)])
    else if (kind === "cut") bytes = Buffer.from(before)
    else if (kind === "repeat") bytes = Buffer.concat([before, after.subarray(0, length), after])
    else if (kind === "text") bytes = Buffer.concat([before, Buffer.from(text), after])
  }
  return bytes
}
