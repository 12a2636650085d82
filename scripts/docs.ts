import { fileURLToPath } from "node:url"
import { withEvidence } from "./docs/evidence.ts"
import { readPages, sectionsOf } from "./docs/pages.ts"
import { stageSite } from "./docs/stage.ts"

// Writes what VitePress builds into `.docs`; `npm run docs` then builds it into `site`.
const root = fileURLToPath(new URL("..", import.meta.url))
const pages = readPages(root).map((page) =>
  page.path === "reviewers/validity.md" ? { ...page, text: withEvidence(root, page.text) } : page,
)
const sections = sectionsOf(pages)
stageSite(
  root,
  sections,
  pages.filter(({ path }) => path === "index.md"),
  () => undefined,
)
console.info(`${pages.length} pages in ${sections.length} parts`)
