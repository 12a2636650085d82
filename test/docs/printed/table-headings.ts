import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** A file that prints tables for a terminal, with the headings of their columns and the names of rows that are figures. */
export interface TableFile {
  readonly path: string
  /** Calls of a table whose headings could not be read from the source; they must be none. */
  readonly unread: number
  /** `x` stands where the source puts in a name or a number. */
  readonly headings: readonly string[]
}

const calls = /\b(?:textTable|fittedTable|stackedTables|screenTable)\(\s*(\[|\w+)/g

/** Every file of the command line and of the reports that prints a table, read from its source: also tables that are seldom drawn. */
export function tableFiles(): readonly TableFile[] {
  return ["src/cli", "reports"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\b(?:text|screen)-table\.ts$/.test(name))
      .flatMap((name) => {
        const path = join(folder, name)
        const text = readFileSync(join(root, path), "utf8")
        const lists = [...text.matchAll(calls)].map((call) => {
          const [whole, start = ""] = call
          return start === "[" ? listAt(text, call.index + whole.length - 1) : namedList(text, start)
        })
        return lists.length === 0 ? [] : [fileOf(path, text, lists)]
      }),
  )
}

function fileOf(path: string, text: string, lists: readonly (string | null)[]): TableFile {
  const figures = text.matchAll(/^\s*\["([^"]+)", (?:figures|found|speed)\.\w+\],$/gm)
  return {
    path,
    unread: lists.filter((list) => list === null).length,
    headings: [
      ...new Set([...lists.flatMap((list) => literalsOf(list ?? "")), ...Array.from(figures, ([, name = ""]) => name)]),
    ],
  }
}

/** `const header = [...]`, `header: [...]` and `header.push(...)`; null where the source has no such list. */
function namedList(text: string, name: string): string | null {
  if (name === "") return null
  const starts = [...text.matchAll(new RegExp(`\\b${name}(?: =|:) \\[`, "g"))]
  const pushed = Array.from(text.matchAll(new RegExp(`\\b${name}\\.push\\((.*)\\)$`, "gm")), ([, items = ""]) => items)
  if (starts.length === 0) return null
  const lists = starts.map((start) => listAt(text, start.index + start[0].length - 1))
  // `const part = [header, ...rows]` is about another list of the same file.
  const others = lists.map((list) => namedList(text, /^\[(\w+), \.\.\./.exec(list)?.[1] ?? "") ?? "")
  return [...lists, ...others, ...pushed].join(", ")
}

/** The text of a list up to its closing bracket. */
function listAt(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === "[") depth++
    if (text[at] === "]" && --depth === 0) return text.slice(start, at + 1)
  }
  throw new Error("a list has no end")
}

/** The texts of a list, `x` in place of what is put into them. */
function literalsOf(list: string): string[] {
  const found = list.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`])*)`/g)
  return Array.from(found, ([, plain, template]) =>
    (plain ?? (template ?? "").replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "x"))
      .replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .trim(),
  ).filter((text) => text !== "")
}
