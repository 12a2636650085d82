// Writes dist/reference/pages.json by scripts/reference.ts, which names what the bundle exports: it runs after the bundle. Its TypeScript is put
// together by esbuild, in a part of the time that a transpiler in JavaScript takes.
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { root } from "./root.mjs"

/** A module's own address is that of its source: it finds the files beside it. */
const sourceUrls = {
  name: "source-urls",
  setup({ onLoad, onResolve }) {
    // The table of commands names their modules, and none is loaded.
    onResolve({ filter: /^\./ }, ({ path, kind }) => (kind === "dynamic-import" ? { path, external: true } : undefined))
    onLoad({ filter: /[\\/](?:scripts|test)[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      return { contents: source.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)), loader: "ts" }
    })
  },
}

// In the root's folder, so that `evalkit` and other packages are found.
const script = join(root, "dist", `reference-${process.pid}.mjs`)
try {
  await build({
    absWorkingDir: root,
    entryPoints: ["scripts/reference.ts"],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    outfile: script,
    logLevel: "warning",
    plugins: [sourceUrls],
  })
  await import(pathToFileURL(script).href)
} finally {
  await rm(script, { force: true })
}
