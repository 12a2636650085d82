// A plugin for esbuild: `const { Pool } = await import("undici")` finds its names also where the package is CommonJS. esbuild
// gives a chunk that is made of a CommonJS package a default export only; here each such package that is imported
// dynamically gets a module that exports by name what Node's own import of it shows.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const namespace = "dynamic-package"

/** @param {readonly string[]} external names of packages that stay outside the bundle */
export function dynamicPackages(external) {
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ kind, path, resolveDir, namespace: from }) => {
        const outside =
          path.startsWith("node:") || external.some((name) => path === name || path.startsWith(`${name}/`))
        if (kind !== "dynamic-import" || outside || from === namespace) return undefined
        const found = await build.resolve(path, { kind: "import-statement", resolveDir })
        if (found.errors.length > 0) return { errors: found.errors }
        // What a module exports, esbuild sees by itself.
        return isModule(found.path) ? undefined : { path, namespace, pluginData: { resolveDir, file: found.path } }
      })
      build.onLoad({ filter: /.*/, namespace }, async ({ path, pluginData: { resolveDir, file } }) => {
        const names = Object.keys(await import(pathToFileURL(file).href)).filter((name) => /^[\w$]+$/.test(name))
        return { contents: `export { ${names.join(", ")} } from ${JSON.stringify(path)}`, resolveDir }
      })
    },
  }
}

/** Whether a file is a module, by its name or its nearest manifest. */
function isModule(file) {
  if (/\.[cm]js$/.test(file)) return file.endsWith(".mjs")
  let folder = dirname(file)
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder)
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).type === "module"
}
