// Builds the page of the report into dist/reports/app: a script and a style sheet for the browser, and a module that
// renders the page in Node. Does nothing when what is built is newer than every source that it is made of. Several
// processes may call it at once (test files do): one builds, the others wait.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, "dist/reports/app")
const built = ["client.js", "style.css", "server.js"].map((name) => join(folder, name))
const lock = join(folder, ".building")
const longestBuildMs = 60_000

const newest = (path) =>
  Math.max(
    ...readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  )

const isCurrent = () => {
  const sources = Math.max(...["reports", "src/core", "src/cost", "src/perf"].map((path) => newest(join(root, path))))
  return built.every((path) => existsSync(path) && statSync(path).mtimeMs > sources)
}

/** Whether this process holds the lock now; a lock that is older than any build was left behind and is taken over. */
const takeLock = () => {
  mkdirSync(folder, { recursive: true })
  try {
    mkdirSync(lock)
    return true
  } catch {
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > longestBuildMs)
      rmSync(lock, { recursive: true, force: true })
    return false
  }
}

const build = async () => {
  // Whoever calls (a test runner, say), the page is built for production: no file names of this machine in it.
  process.env.NODE_ENV = "production"
  const vite = await import("vite")
  const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url))
  await vite.build({ configFile })
  await vite.build({ configFile, build: { ssr: true } })
}

if (!isCurrent()) {
  while (!takeLock()) await sleep(100)
  try {
    if (!isCurrent()) await build()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
