import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"
import { packageFolder } from "../../platform/version.ts"

/** An example that travels with evalkit. */
export interface Example {
  readonly name: string
  /** The question that it answers. */
  readonly question: string
}

/** A file of an example, read and fitted to its new place. */
export interface ExampleFile {
  readonly path: string
  readonly content: Buffer
}

/** The examples, in the order of their list. */
export function listExamples(): readonly Example[] {
  const list = readFileSync(join(packageFolder(), "examples", "README.md"), "utf8")
  return Array.from(list.matchAll(/^\| \[([\w-]+)\]\([^)]*\) \| (.+) \|$/gm), ([, name = "", question = ""]) => ({
    name,
    question,
  }))
}

/**
 * The files of an example. What its config reads from the package (a small model, a data set) comes with it, so that the copy runs
 * where it is.
 *
 * @throws {UsageError} `unknown_example`
 */
export function exampleFiles(name: string): readonly ExampleFile[] {
  const names = listExamples().map((example) => example.name)
  if (!names.includes(name)) {
    const meant = nearest(name, names)
    throw new UsageError(`there is no example "${name.slice(0, 60)}"`, {
      code: "unknown_example",
      where: `examples: ${names.join(", ")}`,
      hint: meant === undefined ? "list them with: evalkit init --example" : `did you mean "${meant}"?`,
    })
  }
  const folder = join(packageFolder(), "examples", name)
  const shared = new Map<string, Buffer>()
  const own = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => !path.startsWith("."))
    .sort()
    .map((path) => {
      const content = readFileSync(join(folder, path))
      if (!path.endsWith(".ts")) return { path, content }
      const text = content.toString("utf8").replaceAll(besideExamples, (_, source: string, file: string) => {
        for (const [inside, bytes] of filesLike(source, file)) shared.set(inside, bytes)
        return `./${file}`
      })
      return { path, content: Buffer.from(text.replaceAll(`examples/${name}/eval.config.ts`, "eval.config.ts")) }
    })
  return [...own, ...Array.from(shared, ([path, content]) => ({ path, content }))]
}

/** A file of the package as an example's config names it, from its folder. */
const besideExamples = /\.\.\/\.\.\/(models\/tiny|datasets\/data)\/([\w.${}-]+)/g

/** Files of a folder by a name in which `${…}` stands for anything. */
function filesLike(parent: string, file: string): [string, Buffer][] {
  const parts = file.split(/\$\{\w+\}/)
  const folder = join(packageFolder(), ...parent.split("/"))
  return readdirSync(folder)
    .filter((name) =>
      parts.length === 1 ? name === file : name.startsWith(parts[0] ?? "") && name.endsWith(parts.at(-1) ?? ""),
    )
    .map((name) => [name, readFileSync(join(folder, name))])
}
