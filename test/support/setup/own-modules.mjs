// Runs once before the tests: bundles the modules that start in a thread or process of their own from today's sources, so that each of
// some hundred starts loads one file and no transpiler. Kept by the sources' state: a second run of the tests bundles nothing.
import { createHash, randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { root } from "../../../scripts/build/root.mjs"
import { sourceFiles } from "../../../scripts/build/source-files.mjs"
import { workerEntries } from "../../../scripts/build/worker-entries.mjs"

const cache = join(root, "node_modules", ".cache", "own-modules")
const keptMs = 86_400_000

export async function setup() {
  const paths = sourceFiles()
  const state = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)))
  for (const path of paths) {
    const { mtimeMs, size } = statSync(join(root, path))
    state.update(`${path} ${mtimeMs} ${size}\n`)
  }
  const folder = join(cache, state.digest("hex").slice(0, 16))
  if (!existsSync(folder)) await bundle(paths, folder)
  process.env.EVALKIT_OWN_MODULES = folder
}

async function bundle(paths, folder) {
  removeOld()
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]))
  // Beside the folder, and renamed: another runner sees a whole folder or none.
  const own = `${folder}.${randomUUID()}`
  await build({
    absWorkingDir: root,
    // Threads that score load the user's config, and with it evalkit's sources: they need the loader all the same.
    entryPoints: [...workerEntries(sources)].filter((path) => !path.startsWith("src/cli/score/")),
    outbase: root,
    outdir: own,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "inline",
    logLevel: "warning",
    plugins: [sourceUrls(sources)],
  })
  try {
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** A module's own address is that of its source: it finds the files beside it. */
function sourceUrls(sources) {
  const addresses = new Map([...sources.keys()].map((path) => [join(root, path), pathToFileURL(join(root, path)).href]))
  // The bundle of node-llama-cpp, which the build has made, starts no trial process.
  const binding = "src/local-model/serve/load-binding"
  addresses.set(join(root, `${binding}.ts`), pathToFileURL(join(root, "dist", `${binding}.js`)).href)
  return {
    name: "source-urls",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, "utf8")
        const address = addresses.get(path)
        if (address === undefined || !source.includes("import.meta.url")) return undefined
        return { contents: source.replaceAll("import.meta.url", JSON.stringify(address)), loader: "ts" }
      })
    },
  }
}

function removeOld() {
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > keptMs)
      rmSync(path, { recursive: true, force: true })
  }
}
