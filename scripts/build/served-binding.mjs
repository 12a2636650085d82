// Bundles what a served model needs of node-llama-cpp, a peer that users may add: of its 540 files 1, which loads in a quarter of the time.
// It runs only where that very version is installed (src/local-model/serve/load-binding.ts), whose native binary it loads.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative } from "node:path"
import { build } from "esbuild"
import { root } from "./root.mjs"

const helper = "evalkit-installed"

/** What downloads and compiles: a server does neither. */
const absent = /^(ipull|simple-git)$/

/** A process that serves one model tries no binary in another process first: its parent sees how it ends. */
const trial = "export const testBindingBinary = async () => true"

const asInstalled = {
  name: "as-installed",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: absent }, ({ path }) => ({ path, namespace: "absent" }))
    onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "module.exports = {}" }))
    onResolve({ filter: new RegExp(`^${helper}$`) }, () => ({ path: helper, namespace: helper }))
    onLoad({ filter: /.*/, namespace: helper }, () => ({ contents: helperSource }))
    onLoad({ filter: /node_modules[\\/]node-llama-cpp[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      if (path.endsWith("testBindingBinary.js")) return { contents: trial }
      const place = relative(join(root, "node_modules", "node-llama-cpp", "dist"), path).replaceAll("\\", "/")
      const source = readFileSync(path, "utf8")
      const contents = source
        .replaceAll("import.meta.url", `installedUrl(${JSON.stringify(place)})`)
        .replaceAll('import("@node-llama-cpp/', 'importInstalled("@node-llama-cpp/')
      return contents === source
        ? undefined
        : { contents: `import { installedUrl, importInstalled } from "${helper}"\n${contents}` }
    })
  },
}

/** Its modules' own addresses are those of the installed package, which its binaries are found from. */
const helperSource = `
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
const index = pathToFileURL(createRequire(import.meta.url).resolve("node-llama-cpp")).href
export const installedUrl = (path) => new URL(path, index).href
export const importInstalled = async (name) => import(pathToFileURL(createRequire(index).resolve(name)).href)
`

/**
 * @param {object} shared options of every bundle
 * @returns the result of esbuild
 */
export function bundleServedBinding(shared) {
  const { version } = createRequire(import.meta.url)(join(root, "node_modules", "node-llama-cpp", "package.json"))
  const names = [
    "GeneralChatWrapper",
    "getLlama",
    "JinjaTemplateChatWrapper",
    "LlamaGrammarEvaluationState",
    "LlamaLogLevel",
    "LlamaText",
    "resolveChatWrapper",
  ]
  return build({
    ...shared,
    // All other packages that it uses come with it.
    external: [],
    minifyIdentifiers: true,
    stdin: { contents: `export { ${names.join(", ")} } from "node-llama-cpp"`, resolveDir: root },
    outfile: join(root, "dist", "src", "local-model", "serve", `node-llama-cpp-${version}.js`),
    format: "esm",
    banner: {
      js: 'import{createRequire as bindingCreateRequire}from"node:module";const require=bindingCreateRequire(import.meta.url);',
    },
    plugins: [asInstalled],
  })
}
