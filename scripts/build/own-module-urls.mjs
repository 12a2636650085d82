// A plugin for esbuild that keeps two habits of our modules meaningful in a bundle:
// - `import.meta.url` is the address that the module would have if it were not bundled: files and workers beside it are found;
// - what `createRequire(import.meta.url)` loads synchronously at first use comes from a bundle of its own, at first use.
import { join } from "node:path"
import { root } from "./root.mjs"

const helper = "evalkit-modules"

/**
 * @param {ReadonlyMap<string, string>} sources texts of our modules by their paths from the root
 * @param {readonly string[]} external names of packages that stay outside the bundle
 * @returns the plugin, and the names of the packages that are required at first use
 */
export function ownModuleUrls(sources, external) {
  const required = new Set()
  const isBundled = (name) =>
    !external.some((other) => name === other || name.startsWith(`${other}/`)) && !name.startsWith("evalkit/")
  const own = [...sources].filter(([, source]) => source.includes("import.meta.url"))
  const contents = new Map(
    own.map(([path, source]) => [join(root, path), rewritten(source, path, isBundled, required)]),
  )
  const plugin = {
    name: "own-module-urls",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${helper}$`) }, () => ({ path: helper, namespace: helper }))
      build.onLoad({ filter: /.*/, namespace: helper }, () => ({ contents: helperSource, resolveDir: root }))
      // Few of our modules ask where they are: of the others esbuild need not ask.
      const names = own.map(([path]) => path.slice(path.lastIndexOf("/") + 1).replaceAll(".", "\\."))
      build.onLoad({ filter: new RegExp(`[\\\\/](?:${names.join("|")})$`) }, ({ path }) =>
        contents.has(path) ? { contents: contents.get(path), loader: "ts" } : undefined,
      )
    },
  }
  return { plugin, required }
}

/** The bundle that a package which is required at first use lies in: packages of one scope share theirs. */
export function requiredBundleOf(name) {
  return name.startsWith("@") ? name.slice(1, name.indexOf("/")) : name
}

function rewritten(source, path, isBundled, required) {
  const requireOf = (name, otherwise) => {
    if (!isBundled(name)) return otherwise
    required.add(name)
    return `requireBundled("${requiredBundleOf(name)}", "${name}")`
  }
  const text = source
    .replace(/createRequire\(import\.meta\.url\)\("([^"]+)"\)/g, (all, name) => requireOf(name, all))
    .replace(/(?<![.\w])require\("([^"]+)"\)/g, (all, name) => requireOf(name, all))
    .replace("const require = createRequire(import.meta.url)", "const ownRequire = createRequire(import.meta.url)")
    .replace(/(?<![.\w])require(?=[(.])/g, "ownRequire")
    // A bundler that knows `createRequire` would look for what is required before anything needs it.
    .replace(/(?<![.\w])createRequire(?=\()/g, "nodeRequire")
    .replaceAll("import.meta.url", `moduleUrl("dist/${path.replace(/\.ts$/, ".js")}")`)
  return `import { moduleUrl, nodeRequire, requireBundled } from "${helper}"\n${text}`
}

/**
 * The root of the package is the nearest folder above that is evalkit's: chunks may lie at any depth of `dist`. In a user's bundle there is none,
 * and evalkit is looked for where the bundle would import it from. The address is a text of its own, since bundlers take
 * `new URL("…", import.meta.url)` for a file to copy.
 */
const helperSource = `
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
export const nodeRequire = process.getBuiltinModule("node:module").createRequire
let root
export function moduleUrl(path) {
  return new URL(path, (root ??= findRoot())).href
}
function findRoot() {
  const own = import.meta.url ?? pathToFileURL("bundle.js").href
  for (let folder = new URL("./", own), last; folder.href !== last; last = folder.href, folder = new URL("../", folder)) {
    try {
      if (JSON.parse(readFileSync(new URL("package.json", folder))).name === "evalkit") return folder
    } catch {}
  }
  try {
    return pathToFileURL(nodeRequire(own).resolve("evalkit/package.json"))
  } catch (cause) {
    throw new Error('evalkit’s files are not beside this bundle: keep evalkit out of it (external: ["evalkit"])', { cause })
  }
}
let own
export function requireBundled(bundle, name) {
  own ??= nodeRequire(moduleUrl("package.json"))
  return own("./dist/required/" + bundle + ".cjs")[name]()
}
`
