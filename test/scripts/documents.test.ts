import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const documents = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md", "docs/architecture.md"]
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
