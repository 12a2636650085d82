import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { documents as blockDocuments, blocksOf, isRun } from "../docs/blocks.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "docs/architecture.md",
  "docs/models.md",
]
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8")

  it("links to files that exist", () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path as string)
    expect(links.filter((path) => !existsSync(join(root, dirname(document), path)))).toEqual([])
  })

  it("names files of the repository that exist", () => {
    const paths = [...text.matchAll(/`((?:src|metrics|judges|datasets|reports|test|docs|scripts|models)\/[\w./-]+)`/g)]
    const named = paths.map(([, path]) => path as string).filter((path) => !/[A-Z]{3}|\.\.\.$/.test(path))
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it("names scripts that package.json has", () => {
    const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })
})

describe("README.md", () => {
  it("is a door: under 9,000 bytes, since the rest is in docs", () => {
    expect(readFileSync(join(root, "README.md")).length).toBeLessThan(9_000)
  })
})

describe("README.md's table of dependencies", () => {
  it("has a reason for each package that the program imports, and names none twice", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const table = readme.slice(readme.indexOf("## Dependencies"), readme.indexOf("## Security"))
    const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names]) =>
      (names as string)
        .replaceAll(/\([^)]*\)/g, "")
        .split(",")
        .map((name) => name.trim()),
    )
    const isNamed = (name: string) =>
      named.some((entry) => (entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry))
    expect(importedPackages().filter((name) => !isNamed(name))).toEqual([])
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
  })
})

describe("the documentation", () => {
  it("has code that compiles against what evalkit exports", () => {
    const folder = mkdtempSync(join(tmpdir(), "evalkit-readme-"))
    try {
      const compiled = [...blockDocuments.filter(isRun), "docs/models.md"]
      const blocks = compiled.flatMap(blocksOf).filter(({ language }) => language === "ts")
      expect(blocks.length).toBeGreaterThan(10)
      for (const { document, line, code } of blocks)
        writeFileSync(join(folder, `${document.replaceAll(/\W/g, "-")}-${line}.ts`), code)
      const compilerOptions = {
        rootDir: "/",
        typeRoots: [join(root, "node_modules/@types")],
        paths: { evalkit: [join(root, "src/index.ts")] },
      }
      const config = {
        extends: join(root, "tsconfig.json"),
        compilerOptions,
        include: ["*.ts", join(root, "src/text/*.d.ts")],
        exclude: [],
      }
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
      expect(compilerErrors(folder)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})

/** Names of the packages that evalkit's own code and its page import, tests and benchmarks left out. */
function importedPackages(): string[] {
  const rooms = ["src", "reports", "metrics", "judges", "datasets"]
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(root, room, file)),
  )
  const specifiers = files.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(/^(?:(?:import|export)\b[^"]* from |[^*\n]*\bimport\()"([\w@][^" ]*)"/gm),
    ].map(([, specifier]) => specifier as string),
  )
  const names = specifiers.map((specifier) =>
    specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/"),
  )
  return [...new Set(names)].filter((name) => !name.startsWith("node:") && name !== "evalkit").sort()
}

function compilerErrors(folder: string): string[] {
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" })
    return []
  } catch (error) {
    return (error as { stdout: string }).stdout.split("\n").filter((line) => line.includes("error"))
  }
}
