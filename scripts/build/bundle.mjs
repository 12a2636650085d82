// Bundles what the published package runs into dist: one file for each entry and each worker, nine that most share, and chunks of what is
// loaded when it is needed. The declarations are tsc's work. Everything is bundled but what npm installs with evalkit (a native binary, the
// loader of configs) and what a user may add (optional peers).
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { dynamicPackages } from "./dynamic-packages.mjs"
import { englishZod } from "./english-zod.mjs"
import { fuseChunks } from "./fuse-chunks.mjs"
import { lightStringWidth } from "./light-string-width.mjs"
import { ownModuleUrls, requiredBundleOf } from "./own-module-urls.mjs"
import { root } from "./root.mjs"
import { bundleServedBinding } from "./served-binding.mjs"
import { sourceFiles } from "./source-files.mjs"
import { writeNotices } from "./third-party-notices.mjs"
import { workerEntries } from "./worker-entries.mjs"

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const external = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]

/** What must never reach a user: the clients of database servers that `natural` asks for in its index. */
const forbidden = /node_modules\/(mongoose|mongodb|pg|redis|memjs|dotenv)\//

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  external,
  metafile: true,
  logLevel: "warning",
}

const sources = new Map(sourceFiles().map((path) => [path, readFileSync(join(root, path), "utf8")]))
const { plugin: moduleUrls, required } = ownModuleUrls(sources, external)
const workers = [...workerEntries(sources)]
const isLarge = (path) => /\/(score|serve)\//.test(path)
const split = build({
  ...shared,
  write: false,
  entryPoints: [...publicEntries(), "src/cli/bin.ts", ...workers],
  outbase: root,
  outdir: join(root, "dist"),
  chunkNames: "chunks/[name]-[hash]",
  splitting: true,
  format: "esm",
  banner: {
    js: 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url??"file:///");',
  },
  plugins: [moduleUrls, dynamicPackages(external), lightStringWidth, englishZod],
})
// What `--help` loads; what small threads load; what the process of a served model has in common with the rest; formulas; metrics; what
// threads that score load; what a config imports; what a run needs besides; and the rest that is exported. Fewer layers would make those
// who import a part load more than it needs.
const modules = split.then((result) =>
  fuseChunks(result, shared, [
    { name: "base", entries: ["src/cli/bin.ts"] },
    { name: "threads", entries: workers.filter((path) => !isLarge(path)) },
    { name: "served", entries: workers.filter((path) => /\/serve\//.test(path)), sharedWith: ["src/index.ts"] },
    { name: "stats", entries: ["src/stats.ts"] },
    { name: "metrics", entries: ["src/metrics.ts"] },
    { name: "score", entries: workers.filter((path) => path.startsWith("src/cli/score/")) },
    { name: "index", entries: ["src/index.ts"] },
    { name: "run", entries: ["src/cli/run/run.ts"] },
    { name: "entries", entries: publicEntries() },
  ]),
)

// What is required synchronously at first use, one bundle for each group of packages.
const groups = new Map([...required].map((name) => [requiredBundleOf(name), []]))
for (const name of required) groups.get(requiredBundleOf(name)).push(name)
const requiredBundles = [...groups].map(([group, names]) =>
  build({
    ...shared,
    stdin: {
      contents: `module.exports = {${names.map((name) => `"${name}": () => require("${name}")`).join()}}`,
      resolveDir: root,
    },
    outfile: join(root, "dist", "required", `${group}.cjs`),
    format: "cjs",
    plugins: [englishZod],
  }),
)

const [{ metafile: splitFile }, ...bundles] = await Promise.all([
  split,
  modules,
  bundleServedBinding(shared),
  ...requiredBundles,
])
const metafiles = bundles.map(({ metafile }) => metafile)
const inputs = [splitFile, ...metafiles].flatMap((metafile) => Object.keys(metafile.inputs))
const unwanted = inputs.filter((path) => forbidden.test(path))
if (unwanted.length > 0) {
  throw new Error(
    `the bundle would carry ${unwanted[0]}: import natural by its sub-paths, and only those without servers`,
  )
}
removeStale(new Set(metafiles.flatMap((metafile) => Object.keys(metafile.outputs)).map((path) => join(root, path))))
writeNotices(inputs)

/** The sources behind the `exports` of package.json. */
function publicEntries() {
  return Object.values(manifest.exports).flatMap((target) =>
    typeof target === "object" ? [target.default.replace("./dist/", "").replace(/\.js$/, ".ts")] : [],
  )
}

/** Modules and chunks of earlier builds; the page of the report is built by its own script. */
function removeStale(current) {
  const dist = join(root, "dist")
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const isPage = path.startsWith(join(dist, "reports", "app"))
    if (entry.isFile() && /\.c?js$/.test(entry.name) && !isPage && !current.has(path)) rmSync(path, { force: true })
  }
}
