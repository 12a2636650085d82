import { assertionTypes } from "../../../config/assertions/assertions.ts"
import { messageOf } from "../../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../../core/json.ts"
import { objectOf } from "../../../interop/fields.ts"
import { type ReadCode, readCode } from "./code.ts"
import { fileNamed } from "./files.ts"
import { filledIn, many } from "./providers.ts"
import type { NotConverted, ReadCheck } from "./types.ts"

/** The test that an assertion stands in. */
export interface AssertingTest {
  readonly vars: JsonObject
  /** The folder of the config, in which code lies. */
  readonly folder: string
  /** What every assertion of the test reads the answer through. */
  readonly transform: JsonValue | undefined
  readonly lost: NotConverted[]
  /** The providers that assertions name as graders are added to it. */
  readonly graders: PlacedProvider[]
}

/** A provider as a config gives it, and where it stands there. */
export interface PlacedProvider {
  readonly value: JsonValue
  readonly where: string
}

/** The assertions of a list, with their places; those of a set without a threshold of its own stand for it: all of them must hold either way. */
export function flatAssertions(
  list: readonly JsonValue[],
  path: string,
): readonly { readonly value: JsonValue; readonly where: string }[] {
  return list.flatMap((value, i) => {
    const where = `${path}[${i}]`
    const own = objectOf(value)
    if (own?.type !== "assert-set" || own.threshold !== undefined || own.weight !== undefined) return [{ value, where }]
    const { metric } = own
    const inner = many(own.assert).map((assertion) =>
      objectOf(assertion) && metric !== undefined ? { metric, ...objectOf(assertion) } : assertion,
    )
    return flatAssertions(inner, `${where}.assert`)
  })
}

/** An assertion of a test, with its variables filled in; null where evalkit has none like it. */
export async function readCheck(value: JsonValue, where: string, test: AssertingTest): Promise<ReadCheck | null> {
  const { vars, folder, lost } = test
  const own = objectOf(value)
  const named = typeof own?.type === "string" ? own.type : ""
  const isNot = named.startsWith("not-")
  const type = isNot ? named.slice(4) : named
  const existing = assertionTypes.get(type)
  const fail = (reason: string): null => {
    lost.push({ where, reason })
    return null
  }
  if (!own || !existing)
    return fail(named === "" ? "the assertion has no type" : `there is no counterpart of ${named.slice(0, 60)}`)
  const isCode = type === "javascript"
  const said = withVars(isCode && fileNamed(own.value) !== null ? undefined : own.value, vars)
  if (said === null) return fail(`${named}: its value is a file, or a template that says more than {{ variable }}`)
  const codeOf = (text: JsonValue | undefined, path: string) =>
    readCode(text, folder, path).catch((error: unknown) => {
      lost.push({ where: path, reason: messageOf(error) })
      return null
    })
  const code = isCode ? await codeOf(said.value ?? own.value, where) : null
  if (isCode && !code) return fail("javascript: its value is no JavaScript of the config's folder")
  const transforms: ReadCode[] = []
  for (const [path, transform] of [
    ["options.transform", test.transform],
    ["transform", own.transform],
  ] as const) {
    if (transform === undefined) continue
    const read = await codeOf(transform, `${where}.${path}`)
    if (!read)
      return fail(
        `${path}: it is no JavaScript of the config's folder, and without it ${named} would read another text`,
      )
    transforms.push(read)
  }
  if (existing.needs === "value" && !isCode && (said.value === undefined || said.value === ""))
    return fail(`${named}: it has no value`)
  if (existing.needs === "threshold" && typeof own.threshold !== "number") return fail(`${named}: it has no threshold`)
  if (type === "regex" && !isPattern(said.value)) return fail("regex: its pattern cannot be read")
  if (own.contextTransform !== undefined)
    return fail(`contextTransform: it has no counterpart, and without it ${named} would read other passages`)
  const grades = existing.calls && own.provider !== undefined
  if (grades) test.graders.push({ value: own.provider ?? null, where: `${where}.provider` })
  for (const name of ["config", "rubricPrompt", ...(grades ? [] : ["provider"])])
    if (own[name] !== undefined && !(isCode && name === "config"))
      lost.push({
        where: `${where}.${name}`,
        reason: "the option has no counterpart; the assertion is kept without it",
      })
  return {
    // "pass" is that of all assertions together.
    metric: (typeof own.metric === "string" && own.metric !== "pass" && own.metric.trim()) || named,
    type,
    ...(isNot && { not: true as const }),
    ...(said.value !== undefined && !isCode && { value: said.value }),
    ...(code && { code, ...(own.config !== undefined && { config: own.config }) }),
    ...(transforms.length > 0 && { transforms }),
    ...(typeof own.threshold === "number" && { threshold: own.threshold }),
    ...(typeof own.weight === "number" && { weight: own.weight }),
  }
}

function isPattern(value: JsonValue | undefined): boolean {
  try {
    new RegExp(String(value))
    return true
  } catch {
    return false
  }
}

function withVars(value: JsonValue | undefined, vars: JsonObject): { readonly value?: JsonValue } | null {
  if (value === undefined || value === null) return {}
  if (typeof value === "string") {
    if (/^(?:file|package):\/\//.test(value)) return null
    const filled = filledIn(value, vars)
    return filled === null ? null : { value: filled }
  }
  if (Array.isArray(value)) {
    const list = (value as readonly JsonValue[]).map((item) => withVars(item, vars))
    return list.some((entry) => entry === null) ? null : { value: list.map((entry) => entry?.value ?? null) }
  }
  return { value }
}

/** What a cell of a CSV column `__expected` asserts: `contains:Paris`, `similar(0.8):Hello`, or the text itself. */
export function checkOfCell(cell: string): JsonObject | null {
  const text = cell.trim()
  if (text === "") return null
  const [, type, threshold, value] = /^((?:not-)?[a-z][a-z-]*)(?:\(([\d.]+)\))?\s*:([\s\S]*)$/.exec(text) ?? []
  if (type === undefined) return { type: "equals", value: text }
  const name = type === "grade" ? "llm-rubric" : type === "fn" || type === "eval" ? "javascript" : type
  const words = (value ?? "").trim()
  const list = /^(?:not-)?i?contains-(?:any|all)$/.test(name) ? words.split(",").map((word) => word.trim()) : words
  // `latency(500)` and the like have their limit in the brackets or behind the colon.
  const limit = threshold ?? (/^(?:latency|cost|perplexity)$/.test(name) ? words : undefined)
  return { type: name, value: list, ...(limit !== undefined && limit !== "" && { threshold: Number(limit) }) }
}
