import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { withEvidence, withExamples } from "./docs/evidence.ts"
import { readPages, sectionsOf } from "./docs/pages.ts"
import { stageSite } from "./docs/stage.ts"
import { commandPages } from "./reference/commands.ts"
import { entryDetails } from "./reference/details.ts"
import { readEntries } from "./reference/entries.ts"
import { metricFacts } from "./reference/facts.ts"
import { referencePages } from "./reference/site-pages.ts"

// Writes what VitePress builds into `.docs`; `npm run docs` then builds it into `site`.
const root = fileURLToPath(new URL("..", import.meta.url))
if (!existsSync(`${root}dist/src/index.js`)) {
  console.error("the reference is read from the built package: run npm run build first")
  process.exit(2)
}
const made: Readonly<Record<string, (root: string, page: string) => string>> = {
  "reviewers/validity.md": withEvidence,
  "recipes/examples.md": withExamples,
}
const pages = readPages(root).map((page) => ({ ...page, text: made[page.path]?.(root, page.text) ?? page.text }))
const entries = readEntries(root, metricFacts(new URL("..", import.meta.url)), entryDetails())
const reference = referencePages(entries, await commandPages(root))
const [shown, rest] = reference.sections
const sections = sectionsOf(pages)
const all = [...sections.slice(0, 4), ...(shown ? [shown] : []), ...sections.slice(4)]
stageSite(root, all, [...(rest?.pages ?? []), ...pages.filter(({ path }) => path === "index.md")], reference.pageOf)
console.info(`${pages.length} pages, and ${(shown?.pages.length ?? 0) + (rest?.pages.length ?? 0)} of the reference`)
