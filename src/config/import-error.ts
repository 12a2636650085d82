import { dirname, join, relative } from "node:path"
import { installLine } from "../core/add-on.ts"
import { nearest } from "../core/did-you-mean.ts"
import { EvalkitError, messageOf, UsageError } from "../core/errors.ts"

/**
 * Says what kept a config from being imported. `exported` are the names that each entry of evalkit offers.
 * A syntax error names file:line, a broken import its specifier and the file that has it.
 */
export function importError(
  error: unknown,
  path: string,
  shown: string,
  exported: ReadonlyMap<string, readonly string[]>,
): EvalkitError {
  if (error instanceof UsageError) return inConfig(error, path, shown)
  if (error instanceof EvalkitError) return error
  const message = messageOf(error)
  const [, undefinedName] = /^(\w+) is not defined$/.exec(message) ?? []
  const hint = undefinedName && unknownExportHint(undefinedName, exported.get("evalkit") ?? [], exported)
  const failed = (where: string) =>
    new UsageError(`the config failed while it ran: ${inOwnWords(message)}`, {
      code: "config_failed",
      where,
      ...(hint && { hint }),
      cause: error,
    })
  const show = (file: string) => (file === path ? shown : join(dirname(shown), relative(dirname(path), file)))
  try {
    return (
      syntaxError(error, message, show, shown) ??
      brokenImport(error, message, show, shown) ??
      unknownExport(error, message, path, shown, exported) ??
      failed(placeInStack(error, path, shown))
    )
  } catch {
    // What was thrown has getters that throw in turn: its code and its stack cannot be looked at.
    return failed(shown)
  }
}

/** The same error with the line of the config that it comes from. */
export function inConfig(error: UsageError, path: string, shown: string): UsageError {
  const position = placeInStack(error, path, shown)
  return new UsageError(error.what, {
    code: error.code,
    where: error.where === undefined ? position : `${position}: ${error.where}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    cause: error,
  })
}

type Show = (file: string) => string

function syntaxError(error: unknown, message: string, show: Show, shown: string): UsageError | null {
  const parse = /^ParseError: ([^\n]*?)\s*\n\s*(.+?):(\d+):(\d+)/.exec(message)
  if (!parse && !(error instanceof SyntaxError)) return null
  return new UsageError(`the config has a syntax error: ${parse?.[1]?.trim() ?? message.split("\n", 1)[0]}`, {
    code: "config_syntax",
    where: parse ? `${show(parse[2] as string)}:${parse[3]}:${parse[4]}` : shown,
    cause: error,
  })
}

function brokenImport(error: unknown, message: string, show: Show, shown: string): UsageError | null {
  const match = /Cannot find (?:module|package) '([^']+)'(?: imported from '?([^'\n]+))?/.exec(message)
  if (!match || !hasCode(error, "MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND")) return null
  const specifier = match[1] as string
  const stack = "requireStack" in error && Array.isArray(error.requireStack) ? (error.requireStack as unknown[]) : []
  const from = typeof stack[0] === "string" ? stack[0] : match[2]
  const packageName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")
  return new UsageError(`the config imports "${specifier}", which cannot be found`, {
    code: "config_import",
    where: from === undefined ? shown : `imported by ${show(from)}`,
    hint: /^[./]/.test(specifier) ? "check the path" : `install it with: ${installLine(packageName)}`,
    cause: error,
  })
}

/** What the transpiler made of a name that its module does not export, `(0 , _mine.ask) is not a function`, or of one in it, `_mine.ask.all …`. */
function inOwnWords(message: string): string {
  return message
    .replace(/^\(0 , _\w+\.(\w+)\) is not a function/, '"$1" is not exported by what it is imported from')
    .replace(/^_\w+\.(\w+(?:\.\w+)+ is not a )/, "$1")
}

function hasCode(error: unknown, ...codes: readonly string[]): error is Error & { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
}

/** `import { exactMath } from "evalkit"` fails when the name is called, with the transpiler's words. */
function unknownExport(
  error: unknown,
  message: string,
  path: string,
  shown: string,
  exported: ReadonlyMap<string, readonly string[]>,
): UsageError | null {
  const [, entryName = "", name] = /^\(0 , _(\w+)\.(\w+)\) is not a function/.exec(message) ?? []
  const entry = entryName === "evalkit" ? "evalkit" : `evalkit/${entryName}`
  const offered = exported.get(entry)
  if (name === undefined || offered === undefined || offered.includes(name)) return null
  const hint = unknownExportHint(name, offered, exported)
  return new UsageError(`${entry} has no "${name}"`, {
    code: "config_import",
    where: placeInStack(error, path, shown),
    ...(hint ? { hint } : {}),
    cause: error,
  })
}

/** Where the name is, else the name that is most like it in the same entry. */
function unknownExportHint(
  name: string,
  offered: readonly string[],
  exported: ReadonlyMap<string, readonly string[]>,
): string | null {
  for (const [entry, names] of exported) if (names.includes(name)) return `write: import { ${name} } from "${entry}"`
  const meant = nearest(name, offered)
  return meant ? `did you mean "${meant}"?` : null
}

function placeInStack(error: unknown, path: string, shown: string): string {
  const stack = error instanceof Error ? (error.stack ?? "") : ""
  const at = stack.indexOf(`${path}:`)
  const line = at < 0 ? undefined : /^:(\d+)/.exec(stack.slice(at + path.length))?.[1]
  return line === undefined ? shown : `${shown}:${line}`
}
