import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readEntries } from "./reference/entries.ts"
import { metricFacts } from "./reference/facts.ts"
import { entryMarkdown, summaryOf } from "./reference/markdown.ts"

// Writes dist/reference/pages.json: what `evalkit explain` and the report's glossary say. Part of `npm run build`, after the bundle.
const root = new URL("..", import.meta.url)
const pages = readEntries(fileURLToPath(root), metricFacts(root))
  // The package carries what a config or a report names; the other names are on the site.
  .filter(({ kind, name, entries }) => kind !== "name" || (entries.includes("evalkit") && /^[a-z]/.test(name)))
  .map((entry) => ({ name: entry.name, kind: entry.kind, summary: summaryOf(entry), text: entryMarkdown(entry) }))
mkdirSync(new URL("dist/reference/", root), { recursive: true })
writeFileSync(new URL("dist/reference/pages.json", root), JSON.stringify(pages))
