/** Zod with its English messages alone: half of it is the same messages in fifty other languages, which every command would read. */
export const englishZod = {
  name: "English zod",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.c?js$/ }, ({ path }) => ({
      contents: path.endsWith(".cjs")
        ? 'exports.en = require("./en.cjs").default'
        : 'export { default as en } from "./en.js"',
      loader: "js",
    }))
  },
}
