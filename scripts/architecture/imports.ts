import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"

/** One import statement of one file. Paths are from the repository's root, with `/`. */
export interface Import {
  readonly from: string
  readonly to: string
  /** Only types: gone at run time. */
  readonly isType: boolean
}

const statement = /^\s*(?:import|export)\s+(type\s+)?(?:[^"';]*?\bfrom\s*)?["'](\.[^"']+)["']/gm
const dynamic = /(?:\bimport\(|new URL\()\s*["'](\.[^"']+\.tsx?)["']/g

/** Files with code below a folder, sorted. */
export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) return sourceFiles(root, path)
      return /\.(?:tsx?|mjs)$/.test(entry.name) ? [path] : []
    })
}

/** Every import of one of our files by another, dynamic imports and the files of workers among them. */
export function readImports(root: string, folders: readonly string[]): Import[] {
  return folders.flatMap((folder) => sourceFiles(root, folder)).flatMap((file) => importsOf(root, file))
}

function importsOf(root: string, file: string): Import[] {
  const code = readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")
  const result: Import[] = []
  for (const [, type, path] of code.matchAll(statement)) add(path as string, type !== undefined)
  for (const [, path] of code.matchAll(dynamic)) add(path as string, false)
  return result

  function add(path: string, isType: boolean): void {
    const to = posix.join(dirname(file), path)
    if (to !== file && isFile(join(root, to))) result.push({ from: file, to, isType })
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
