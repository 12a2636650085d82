import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readDocComment } from "./doc-comment.ts"

/** A field of an interface: an option, a config field, a report field. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly text: string
}

/** Reads declarations from sources that biome has formatted: a field begins with two blanks, a declaration with none. */
export interface Sources {
  /** A function, constant, class or type as it is written, without its body. */
  signature(file: string, symbol: string): string
  /** The fields of an interface, those that it extends after its own; empty for anything else. */
  members(file: string, name: string): readonly Member[]
  /** The file that declares a type which this file declares or imports; null for one of the language or of a package. */
  home(file: string, type: string): string | null
}

/** @param root folder of the repository, which file names are relative to */
export function createSources(root: string): Sources {
  const read = once((file: string) => readFileSync(join(root, file), "utf8"))
  const namesIn = once((file: string) => typeNames(read(file)))
  const exportsOf = once((file: string) => exportedAt(read(file)))
  const home = once((file: string, type: string, depth: number): string | null => {
    const from = namesIn(file).get(type)
    if (from === null) return file
    return from === undefined || depth > 3 ? null : home(join(dirname(file), from), type, depth + 1)
  })
  const members = once((file: string, name: string, depth: number): readonly Member[] => {
    const at = home(file, name, 0)
    if (at === null || depth > 4) return []
    const text = read(at)
    const alias = new RegExp(`^(?:export )?type ${name} = (\\w+)$`, "m").exec(text)?.[1]
    if (alias !== undefined) return members(at, alias, depth + 1)
    const head = new RegExp(`^(?:export )?interface ${name}\\b([^{]*)\\{(.*)$`, "m").exec(text)
    if (!head) return []
    const [whole, extended = "", rest = ""] = head
    const start = head.index + whole.length
    const body = rest.includes("}") ? "" : text.slice(start, text.indexOf("\n}", start))
    const own = fieldsOf(body)
    const left = new Set(Array.from(extended.matchAll(/"(\w+)"/g), ([, key]) => key))
    const bases = [...extended.matchAll(/\b([A-Z]\w+)/g)].map(([, base = ""]) => base)
    const inherited = bases
      .filter((base) => !["Omit", "Partial", "Pick", "Readonly"].includes(base))
      .flatMap((base) => members(at, base, depth + 1))
      .filter((member) => !left.has(member.name) && !own.some((mine) => mine.name === member.name))
    return [...own, ...inherited]
  })
  return {
    signature: (file, symbol) => signatureIn(read(file), exportsOf(file).get(symbol) ?? []),
    members: (file, name) => members(file, name, 0),
    home: (file, type) => home(file, type, 0),
  }
}

/** A search that is made once for each file, name and depth: many types are named by dozens of others. */
function once<Where extends readonly (string | number)[], Found>(search: (...where: Where) => Found) {
  const cache = new Map<string, Found>()
  return (...where: Where): Found => {
    const key = where.join(" ")
    const result = cache.has(key) ? (cache.get(key) as Found) : search(...where)
    cache.set(key, result)
    return result
  }
}

/** Types that a file declares (null), and names that it imports, with the file that they come from. */
function typeNames(text: string): Map<string, string | null> {
  const names = new Map<string, string | null>()
  for (const [, list = "", from = ""] of text.matchAll(/^(?:import|export)([^"']*)from "(\.[^"]+)"/gm))
    for (const [name] of list.matchAll(/\w+/g)) if (!names.has(name)) names.set(name, from)
  for (const [, name = ""] of text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)) names.set(name, null)
  return names
}

/** Where each exported name is declared; a function with overloads at several places. */
function exportedAt(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>()
  const declared = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm
  for (const { index, 1: name = "" } of text.matchAll(declared)) places.set(name, [...(places.get(name) ?? []), index])
  return places
}

/** Characters within which a declaration's head ends; of the longest ones the first 1,200 are shown. */
const longestDeclaration = 20_000

function signatureIn(text: string, places: readonly number[]): string {
  const written = places.map((index) => {
    const lines = text.slice(index, index + longestDeclaration).split("\n")
    const first = lines[0] ?? ""
    if (/^export (?:abstract )?class /.test(first)) return first.replace(/ \{$/, "")
    if (/^export interface /.test(first)) return ""
    const stop = lines.findIndex(
      (line, i) => /(?: \{| =)$/.test(line) || /^\}|^$/.test(line) || (i > 0 && /^(?:export|\/\*\*)/.test(line)),
    )
    const kept = /(?: \{| =)$/.test(lines[stop] ?? "") ? lines.slice(0, stop + 1) : lines.slice(0, Math.max(stop, 1))
    return kept
      .join("\n")
      .replace(/ (?:\{|=)$/, "")
      .slice(0, 1200)
  })
  // The last of several overloads is the one with the body.
  const shown = written.length > 1 ? written.slice(0, -1) : written
  return shown
    .map((line) => line.replace(/^export /, "").trim())
    .join("\n")
    .trim()
}

function fieldsOf(body: string): Member[] {
  const fields: Member[] = []
  const field = /^ {2}(?:readonly )?(?:(\w+)(\??):|(\w+)(\??)(?=[(<]))/gm
  const starts = [...body.matchAll(field)]
  for (const [i, match] of starts.entries()) {
    const before = body.slice(0, match.index)
    const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(before)?.[0] ?? null
    const next = starts[i + 1]?.index ?? body.length
    const type = body
      .slice(match.index + match[0].length, next)
      .replace(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/, "")
      .replaceAll(/\/\*\*(?:(?!\*\/)[\s\S])*?\*\//g, "")
      .replaceAll(/\s+/g, " ")
      .trim()
    fields.push({
      name: match[1] ?? match[3] ?? "",
      type: match[3] === undefined ? type : type.replace(/\): /, ") => "),
      optional: (match[2] ?? match[4]) === "?",
      text: readDocComment(comment).text,
    })
  }
  return fields
}
