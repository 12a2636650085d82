import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Where a public name is declared, under which name there, and the doc comment above it. */
export interface PublicName {
  readonly file: string
  readonly symbol: string
  readonly comment: string | null
}

/** The entries of package.json's `exports` as source files: `evalkit` → `src/index.ts`, `evalkit/stats` → `src/stats.ts` … */
export function entryFiles(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | { default: string }>
  }
  return new Map(
    Object.entries(exports).flatMap(([path, target]): [string, string][] =>
      typeof target === "string"
        ? []
        : [[path.replace(".", "evalkit"), target.default.replace("./dist/", "").replace(/\.js$/, ".ts")]],
    ),
  )
}

/** Every name that a module exports, followed to its declaration. */
export function publicNames(file: string): Map<string, PublicName> {
  const text = readFileSync(join(root, file), "utf8")
  const target = (specifier: string) => join(dirname(file), specifier)
  const names = new Map<string, PublicName>()
  for (const [, list = "", specifier = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm)) {
    const inside = publicNames(target(specifier))
    for (const part of list.split(",").map((item) => item.trim().replace(/^type /, ""))) {
      const [name = "", alias = name] = part.split(" as ")
      const result = inside.get(name)
      if (result) names.set(alias, result)
      else if (name !== "") throw new Error(`${file}: ${name} is not found in ${specifier}`)
    }
  }
  for (const [, specifier = ""] of text.matchAll(/^export \* from "([^"]+)"/gm))
    for (const [name, result] of publicNames(target(specifier))) names.set(name, result)
  for (const { index, 1: symbol = "", 2: specifier = "" } of text.matchAll(/^export \* as (\w+) from "([^"]+)"/gm)) {
    names.set(symbol, { file: target(specifier), symbol: "*", comment: commentAbove(text, index) })
  }
  for (const { index, 1: symbol = "" } of text.matchAll(declaration)) {
    if (!names.has(symbol)) names.set(symbol, { file, symbol, comment: commentAbove(text, index) })
  }
  return names
}

/** What every module of a group (`export * as rubrics`) exports counts as public, too. */
export function groupFiles(file: string): string[] {
  return [...publicNames(file).values()].flatMap(({ file: group, symbol }) => (symbol === "*" ? [group] : []))
}

/**
 * The types that declarations of public names refer to and that have no public name themselves, as `file#name`. Read from the built
 * declarations, which state every type.
 */
export function unnamedTypes(): ReadonlySet<string> {
  const open = [...entryFiles().values()].flatMap((file) => [...publicNames(file).values()])
  const names = new Set(open.map(({ file, symbol }) => `${file}#${symbol}`))
  const missing = new Set<string>()
  for (const { file, symbol } of open)
    if (symbol !== "*")
      for (const type of typesIn(file, symbol)) if (!names.has(type)) missing.add(`${type} of ${symbol}`)
  return missing
}

function typesIn(file: string, symbol: string): string[] {
  const text = readFileSync(join(root, "dist", file.replace(/\.tsx?$/, ".d.ts")), "utf8").replace(
    /\/\*\*[\s\S]*?\*\//g,
    "",
  )
  const places = new Map<string, string>()
  for (const [, list = "", specifier = ""] of text.matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm))
    for (const part of list.split(",")) {
      const [name = "", alias = name] = part
        .trim()
        .replace(/^type /, "")
        .split(" as ")
      places.set(alias, `${join(dirname(file), specifier).replace(/\.js$/, ".ts")}#${name}`)
    }
  for (const [, name = ""] of text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
    places.set(name, `${file}#${name}`)
  const own = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:function|class|interface|type|const) ${symbol}\\b[\\s\\S]*?(?=^(?:export|declare|import|interface|type|const) |$(?![\\s\\S]))`,
    "gm",
  )
  const words = [...text.matchAll(own)].flatMap(([part]) => part.match(/\b[A-Z]\w+\b/g) ?? [])
  return [...new Set(words)].flatMap((word) => places.get(word) ?? [])
}

const declaration = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm

function commentAbove(text: string, at: number): string | null {
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(text.slice(0, at))?.[0] ?? null
}
