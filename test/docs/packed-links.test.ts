import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { linkTargets } from "../../scripts/docs/links.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

it("the pages of the package link to nothing that is not in it", () => {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "ignore"],
  })
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }]
  const shipped = new Set(files.map(({ path }) => path))
  const folders = new Set([...shipped].map((path) => posix.dirname(path)))
  const pages = [...shipped].filter((path) => path.endsWith(".md"))
  const dead = pages.flatMap((page) =>
    linkTargets(readFileSync(join(root, page), "utf8"))
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
      .filter((target) => {
        const path = posix.normalize(posix.join(posix.dirname(page), target.split("#")[0] ?? "")).replace(/\/$/, "")
        return !shipped.has(path) && ![...folders].some((folder) => folder === path || folder.startsWith(`${path}/`))
      })
      .map((target) => `${page}: ${target}`),
  )
  expect(pages.length).toBeGreaterThan(40)
  expect(dead).toEqual([])
})
