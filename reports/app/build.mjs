// Builds the page of the report into dist/reports/app: a script and a style sheet for the browser, a module that renders
// the page in Node, script and style sheet of the pages of evalkit view, and what load tests add. Does nothing when what is built is newer
// than every source that it is made of. Several processes may call it at once (test files do): one builds, the others wait.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as esbuild from "esbuild"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, "dist/reports/app")
const built = ["client.js", "style.css", "server.js", "view.js", "view.css", "bench.css"].map((name) =>
  join(folder, name),
)
const lock = join(folder, ".building")
const maxBuildMs = 60_000

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
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > maxBuildMs)
      rmSync(lock, { recursive: true, force: true })
    return false
  }
}

const shared = {
  absWorkingDir: root,
  outdir: folder,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  // Whoever calls (a test runner, say), the page is built for production: no file names of this machine in it.
  jsxDev: false,
  define: { "process.env.NODE_ENV": '"production"' },
}

const build = async () => {
  const app = join(root, "reports/app")
  await Promise.all([
    esbuild.build({ ...shared, entryPoints: [join(app, "client.tsx")], platform: "browser", minify: true }),
    esbuild.build({ ...shared, entryPoints: [join(app, "server.tsx")], platform: "node" }),
    esbuild.build({
      ...shared,
      entryPoints: [
        { in: join(app, "view/client.ts"), out: "view" },
        { in: join(app, "bench/bench.css"), out: "bench" },
      ],
      platform: "browser",
      minify: true,
    }),
  ])
  renameSync(join(folder, "client.css"), join(folder, "style.css"))
}

if (!isCurrent()) {
  while (!takeLock()) await sleep(100)
  try {
    if (!isCurrent()) await build()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
