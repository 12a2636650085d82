import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly { readonly type?: string }[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Licences that ask for a notice at most, as SPDX names them. */
const permissive = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "Unlicense",
  "BlueOak-1.0.0",
  "Python-2.0",
  "CC0-1.0",
  "WordNet-3.0",
  "Zlib",
])

/**
 * Packages whose manifest does not say it in SPDX, or that are under a licence with conditions which evalkit meets: they are used
 * as they are, unchanged, and are not part of the package itself.
 */
const checkedByHand: readonly (readonly [name: RegExp, licence: string])[] = [
  // Of the optional transformers package: a shared library that is loaded as it is.
  [/^@img\/sharp-libvips-/, "LGPL-3.0-or-later"],
  // Of the optional PNG charts: a binary that is loaded as it is.
  [/^@resvg\/resvg-js/, "MPL-2.0"],
]

function read(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
}

/** The folder of a package as Node would find it from another's. */
function locate(name: string, from: string): string | null {
  for (let folder = from; ; folder = join(folder, "..")) {
    const candidate = join(folder, "node_modules", name)
    if (existsSync(join(candidate, "package.json"))) return candidate
    if (folder === root || folder === join(folder, "..")) return null
  }
}

/** Every package that is installed for users: dependencies of dependencies, and optional ones where they are there. */
function productionPackages(): ReadonlyMap<string, Manifest> {
  const result = new Map<string, Manifest>()
  const visit = (folder: string, manifest: Manifest): void => {
    const names = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }
    for (const name of Object.keys(names)) {
      const location = locate(name, folder)
      if (!location || result.has(location)) continue
      const next = read(location)
      result.set(location, next)
      visit(location, next)
    }
  }
  visit(root, read(root))
  return result
}

function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === "string") return license
  return license?.type ?? licenses?.map(({ type }) => type).join(" OR ") ?? "none"
}

/** `A OR B`: one that fits is enough; `A AND B`: all must. */
function isPermissive(expression: string): boolean {
  const bare = expression.replace(/[()]/g, "")
  return bare.split(/ OR /i).some((part) => part.split(/ AND /i).every((text) => permissive.has(text.trim())))
}

function isChecked(manifest: Manifest): boolean {
  return checkedByHand.some(([name, licence]) => name.test(manifest.name ?? "") && licence === licenceOf(manifest))
}

describe("the licences of what is installed with evalkit", () => {
  const packages = [...productionPackages().values()]

  it("are found for every dependency", () => {
    expect(packages.length).toBeGreaterThan(Object.keys(read(root).dependencies ?? {}).length)
  })

  it("ask for a notice at most, or were checked by hand", () => {
    const others = packages
      .filter((manifest) => !isPermissive(licenceOf(manifest)) && !isChecked(manifest))
      .map((manifest) => `${manifest.name} ${manifest.version}: ${licenceOf(manifest)}`)
    expect(others).toEqual([])
  })
})
