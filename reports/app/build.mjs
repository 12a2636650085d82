// Builds the page of the report into dist/reports/app: a script and a style sheet for the browser, and a module that
// renders the page in Node. Does nothing when what is built is newer than every source that it is made of.
import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const built = ["client.js", "style.css", "server.js"].map((name) => join(root, "dist/reports/app", name))

const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  )

const sources = Math.max(newest(join(root, "reports")), newest(join(root, "src/core")))
const current = built.every((path) => existsSync(path) && statSync(path).mtimeMs > sources)
if (!current) {
  // Whoever calls (a test runner, say), the page is built for production: no file names of this machine in it.
  process.env.NODE_ENV = "production"
  const { build } = await import("vite")
  const configFile = join(dirname(fileURLToPath(import.meta.url)), "vite.config.ts")
  await build({ configFile })
  await build({ configFile, build: { ssr: true } })
}
