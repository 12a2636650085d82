// Bundles a benchmark of this folder as the published package is bundled, and runs it: from source, every call between
// modules goes through the loader's accessors, which users do not pay. node benchmarks/capture/run.mjs NAME [ARGUMENTS]
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { ownModuleUrls } from "../../scripts/build/own-module-urls.mjs"
import { root } from "../../scripts/build/root.mjs"
import { sourceFiles } from "../../scripts/build/source-files.mjs"

const [name = "main", ...args] = process.argv.slice(2)
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
// What is loaded at first use is found among the installed packages.
const external = [
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.peerDependencies),
  ...["openai", "undici", "@stdlib", "zod", "liquidjs"],
]
const home = join(root, "node_modules", ".cache", "evalkit-benchmarks")
const outdir = join(home, "dist")
mkdirSync(home, { recursive: true })
// Modules find the workers beside them from the nearest manifest on.
writeFileSync(join(home, "package.json"), '{"type":"module"}')
const workers = ["capture/threads/capture-worker", "capture/threads/pacing/pace-worker", "perf/client/truth-server"]
const sources = new Map(sourceFiles().map((path) => [path, readFileSync(join(root, path), "utf8")]))
await build({
  absWorkingDir: root,
  entryPoints: [
    ...["client", "long-prompts", "main", "open-loop", "stated-error"].map((one) => `benchmarks/capture/${one}.ts`),
    ...workers.map((worker) => `src/${worker}.ts`),
  ],
  outbase: root,
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external,
  logLevel: "warning",
  plugins: [ownModuleUrls(sources, external).plugin],
  banner: {
    js: 'import{createRequire as bundleCreateRequire}from"node:module";const require=bundleCreateRequire(import.meta.url);',
  },
})
const child = spawn(
  process.execPath,
  [...process.execArgv, join(outdir, "benchmarks/capture", `${name}.js`), ...args],
  {
    stdio: "inherit",
  },
)
child.on("close", (code) => {
  process.exitCode = code ?? 1
})
