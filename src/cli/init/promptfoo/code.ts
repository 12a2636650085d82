import { relative, sep } from "node:path"
import type { JsonValue } from "../../../core/json.ts"
import { fileNamed, pathIn } from "./files.ts"

/** JavaScript of a promptfoo config: written into the new one as it stands, and never run here. */
export type ReadCode =
  /** The body of a function of `output` and `context`. */
  | { readonly body: string }
  /** A module beside the config, by its path from there, and which of its exports is meant. */
  | { readonly file: string; readonly name: string }

/**
 * An expression, the lines of a function, or a file (`file://check.js`, `file://check.js:isShort`).
 *
 * @returns null for what is no JavaScript
 * @throws {UsageError} for a file that is not there, or lies outside of the folder
 */
export async function readCode(value: JsonValue | undefined, folder: string, where: string): Promise<ReadCode | null> {
  if (typeof value !== "string" || value.trim() === "") return null
  const named = fileNamed(value)
  if (named !== null) {
    const [, path = named, name = "default"] = /^(.*\.[cm]?[jt]s)(?::([\w$]+))?$/.exec(named) ?? []
    if (!/\.[cm]?[jt]s$/.test(path)) return null
    return {
      file: relative(folder, await pathIn(folder, path, where))
        .split(sep)
        .join("/"),
      name,
    }
  }
  const text = value.trim()
  const expression = [`return ${text}`, `return (${text}\n)`].find((line, i) => (i > 0 || isLine(text)) && isBody(line))
  const body = expression ?? text
  return isBody(body) ? { body } : null
}

/** Whether a text is a line that neither a comment nor a semicolon can cut short. */
function isLine(text: string): boolean {
  return !/[\r\n\u2028\u2029;]|\/\/|\/\*/.test(text)
}

/** Whether a text is the whole body of a function: compiled, not run. What is none would end the function that it is written into. */
function isBody(text: string): boolean {
  try {
    new Function("output", "context", text)
    return true
  } catch {
    return false
  }
}

/** A function of the new config. @param up the way from its folder to that of promptfoo's config, with `/` at its end */
export function codeText(code: ReadCode, up: string): string {
  if ("body" in code)
    return `async (output: any, context: any) => {\n${code.body.includes("\n") ? code.body : `    ${code.body}`}\n  }`
  return `async (output: any, context: any) => {
    const found = (await import(${JSON.stringify(up + code.file)})) as any
    const run = found[${JSON.stringify(code.name)}] ?? found.default?.[${JSON.stringify(code.name)}]
    return (typeof run === "function" ? run : run.default)(output, context)
  }`
}
