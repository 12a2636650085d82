import { createRequire } from "node:module"
import type { Liquid } from "liquidjs"
import { messageOf, UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"

/** A compiled template: fields and the sample's id (for messages) → text. */
export type Template = (fields: JsonObject, sampleId: string) => string

/**
 * Compiles a Liquid template. It sees own properties of the fields only, no files and no environment; what it puts in
 * is text and never evaluated again. Its parsing, steps and memory are bounded.
 *
 * @throws UsageError when it cannot be parsed; when rendering, if a field is missing.
 * @example compileTemplate("Hello {{name}}")({ name: "Ada" }, "s1") // "Hello Ada"
 */
export function compileTemplate(source: string): Template {
  if (!source.includes("{{") && !source.includes("{%")) return () => source
  const engine = liquid()
  const parsed = attempt(
    () => engine.parse(source),
    (error) => {
      throw new UsageError(`the prompt template cannot be parsed: ${firstLine(messageOf(error))}`, {
        code: "template_syntax",
        where: excerpt(source),
        hint: "write {{field}} for a field of the sample, {{ '{{' }} for two literal braces",
        cause: error,
      })
    },
  )
  return (fields, sampleId) =>
    attempt(
      () => String(engine.renderSync(parsed, fields)),
      (error) => {
        throw renderError(error, source, fields, sampleId)
      },
    )
}

/** Longest rendering of one prompt, in milliseconds. */
const maxRenderMs = 5_000

/** Items and characters that one rendering may make in ranges and filters: what a range takes is memory at once. */
const maxItems = 10_000_000

let shared: Liquid | undefined

/** The one engine, loaded on the first template: liquidjs costs 50 ms. */
function liquid(): Liquid {
  if (shared) return shared
  const { Liquid: Engine } = createRequire(import.meta.url)("liquidjs") as typeof import("liquidjs")
  const noFile = () => {
    throw new Error("a prompt template cannot include files")
  }
  shared = new Engine({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape: textOf,
    parseLimit: 10_000_000,
    renderLimit: maxRenderMs,
    memoryLimit: maxItems,
    templates: {},
  })
  for (const tag of ["include", "render", "layout", "block"])
    shared.registerTag(tag, {
      parse: noFile,
      render: noFile,
    })
  return shared
}

/** What `{{field}}` writes: lists line by line, objects as JSON, everything else as text. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(textOf).join("\n")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

function renderError(error: unknown, source: string, fields: JsonObject, sampleId: string): UsageError {
  const missing = /undefined variable: ([^\n,]+)/.exec(messageOf(error))?.[1]
  if (missing === undefined)
    return new UsageError(`the prompt template cannot be rendered: ${firstLine(messageOf(error))}`, {
      code: "template_render",
      where: `sample ${JSON.stringify(sampleId)}, template ${excerpt(source)}`,
      cause: error,
    })
  return new UsageError(`the prompt uses the field "${missing}", which the sample does not have`, {
    code: "template_field",
    where: `sample ${JSON.stringify(sampleId)}, template ${excerpt(source)}`,
    hint: `it has: ${Object.keys(fields).slice(0, 40).join(", ")}${missing === "input" ? '; name its column with dataset(…, { fields: { input: "COLUMN" } })' : ""}`,
    cause: error,
  })
}

function attempt<T>(work: () => T, failed: (error: unknown) => never): T {
  try {
    return work()
  } catch (error) {
    return failed(error)
  }
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text)
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] as string
}
