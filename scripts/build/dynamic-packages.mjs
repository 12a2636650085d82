// A plugin for esbuild: `const { Pool } = await import("undici")` finds its names also where the package is CommonJS. esbuild
// gives a chunk that is made of a CommonJS package a default export only; here each package that is imported dynamically gets
// a module that exports by name what Node's own import of it shows.
import { pathToFileURL } from "node:url"

const namespace = "dynamic-package"

/** @param {readonly string[]} external names of packages that stay outside the bundle */
export function dynamicPackages(external) {
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ kind, path, resolveDir, namespace: from }) => {
        const outside =
          path.startsWith("node:") || external.some((name) => path === name || path.startsWith(`${name}/`))
        if (kind !== "dynamic-import" || outside || from === namespace) return undefined
        return { path, namespace, pluginData: resolveDir }
      })
      build.onLoad({ filter: /.*/, namespace }, async ({ path, pluginData: resolveDir }) => {
        const found = await build.resolve(path, { kind: "import-statement", resolveDir })
        if (found.errors.length > 0) return { errors: found.errors }
        const names = Object.keys(await import(pathToFileURL(found.path).href)).filter((name) => /^[\w$]+$/.test(name))
        return { contents: `export { ${names.join(", ")} } from ${JSON.stringify(path)}`, resolveDir }
      })
    },
  }
}
