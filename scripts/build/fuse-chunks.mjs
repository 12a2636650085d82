// Fuses chunks that are loaded together into a few files. Splitting makes a chunk of every set of entries that share a module: `evalkit run` opened
// three hundred of them, at two to three milliseconds of processor time each. A second pass over what the first one made puts them into layers.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, posix, relative } from "node:path"
import { build } from "esbuild"

/** Where the second pass finds what the first one made, what stands for a layer, and what leads from one file to another. */
const [made, layer, way] = ["made", "layer", "way"]

/**
 * A layer has all that its entries import, but what an earlier layer has: so no two layers import each other. One that is `sharedWith`
 * others has only what those import as well.
 *
 * @param {object} result of esbuild with `splitting`, `metafile` and without `write`
 * @param {object} options those of every bundle
 * @param {{name: string, entries: readonly string[], sharedWith?: readonly string[]}[]} layers modules by their paths, first what all load
 * @returns the result of esbuild, written, whose metafile names the outputs
 */
export async function fuseChunks({ outputFiles, metafile }, options, layers) {
  const root = options.absWorkingDir
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(root, path).replaceAll("\\", "/"), text]))
  const { outputs } = metafile
  const byEntry = new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => (entryPoint ? [[entryPoint, path]] : [])),
  )
  const importsOf = (path) =>
    outputs[path].imports.flatMap((one) => (one.kind === "import-statement" && !one.external ? [one.path] : []))
  const allOf = (entries) => {
    const absent = entries.find((entry) => !byEntry.has(entry))
    if (absent !== undefined) throw new Error(`a layer names ${absent}, which is no entry of the bundle`)
    const found = new Set(entries.map((entry) => byEntry.get(entry)))
    for (const path of found) for (const imported of importsOf(path)) found.add(imported)
    return found
  }
  const isChunk = (path) => path.startsWith("dist/chunks/")
  const layerOf = new Map()
  for (const { name, entries, sharedWith } of layers) {
    const shared = sharedWith ? allOf(sharedWith) : null
    for (const path of allOf(entries))
      if (isChunk(path) && !layerOf.has(path) && (shared?.has(path) ?? true)) layerOf.set(path, name)
  }
  const membersOf = (name) => [...layerOf].flatMap(([path, own]) => (own === name ? [path] : []))
  const fileOf = (name) => `dist/chunks/${name}.js`
  /** Names of exports are unique in a chunk, not in a layer. */
  const number = new Map([...layerOf.keys()].map((path, i) => [path, i]))
  const pairsOf = (path) => outputs[path].exports.map((name) => [name, `${name}$${number.get(path)}`])
  const outward = (path) => `export{${pairsOf(path).map(([name, alias]) => `${name} as ${alias}`)}}from"${path}"`
  const inward = (path, from) => `export{${pairsOf(path).map(([name, alias]) => `${alias} as ${name}`)}}from"${from}"`

  const plugin = {
    name: "fuse-chunks",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer, namespace }) => {
        if (kind === "entry-point")
          return { path: path.slice(path.indexOf(":") + 1), namespace: path.slice(0, path.indexOf(":")) }
        if (namespace === layer) return { path, namespace: made }
        if (namespace !== made || kind !== "import-statement" || !path.startsWith(".")) return { path, external: true }
        const target = posix.join(posix.dirname(importer), path)
        if (!layerOf.has(target)) return { path, external: true }
        if (layerOf.get(target) === layerOf.get(importer)) return { path: target, namespace: made }
        return { path: target, namespace: way, suffix: `?${posix.dirname(importer)}` }
      })
      onLoad({ filter: /.*/, namespace: made }, ({ path }) => ({ contents: texts.get(path) }))
      onLoad({ filter: /.*/, namespace: layer }, ({ path }) => ({
        contents: membersOf(path)
          .filter((member) => outputs[member].exports.length > 0)
          .map(outward)
          .join("\n"),
      }))
      onLoad({ filter: /.*/, namespace: way }, ({ path, suffix }) => {
        const from = posix.relative(suffix.slice(1) || posix.dirname(path), fileOf(layerOf.get(path)))
        return { contents: inward(path, from.startsWith(".") ? from : `./${from}`) }
      })
    },
  }
  const out = (path) => path.replace(/^dist\//, "").replace(/\.js$/, "")
  const entryPoints = [
    ...layers.map(({ name }) => ({ in: `${layer}:${name}`, out: `chunks/${name}` })),
    // What is imported when it is needed keeps its own address.
    ...Object.keys(outputs).flatMap((path) => {
      if (!layerOf.has(path)) return [{ in: `${made}:${path}`, out: out(path) }]
      return outputs[path].entryPoint ? [{ in: `${way}:${path}`, out: out(path) }] : []
    }),
  ]
  const fused = await build({ ...options, entryPoints, plugins: [plugin], outdir: "dist", format: "esm", write: false })
  for (const { path, text } of fused.outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    // As esbuild does: what names its interpreter can be run.
    const mode = text.startsWith("#!") ? 0o755 : 0o644
    writeFileSync(path, hiddenImports(text), { mode })
    chmodSync(path, mode)
  }
  return fused
}

/**
 * What is imported by a name that is only known at run time (optional packages, files of the user) is left alone by the bundler of a user, too.
 * esbuild takes such comments out of what it minifies.
 */
function hiddenImports(text) {
  return text.replace(/(?<![\w$.])import\((?!["'`/)])/g, "import(/*webpackIgnore:true*//*@vite-ignore*/")
}
