// Builds what runs, without declarations: the bundle and then the reference pages, and the page of the report beside them.
// All in one process, so that Node and esbuild are started once.
console.info("building evalkit …")
await Promise.all([
  import("./bundle.mjs").then(() => import("./reference.mjs")),
  import("./o200k.mjs"),
  import("../../reports/app/build.mjs"),
])
console.info(`built in ${(performance.now() / 1000).toFixed(1)} s`)
