import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { commandTable } from "../src/cli/command-table.ts"
import { entryDetails } from "./reference/details.ts"
import { readEntries } from "./reference/entries.ts"
import { metricFacts } from "./reference/facts.ts"
import { entryMarkdown, summaryOf } from "./reference/markdown.ts"

// Writes dist/reference/pages.json: what `evalkit explain` and the report's glossary say. Part of `npm run build`, after the bundle.
const root = new URL("..", import.meta.url)
const pages = readEntries(fileURLToPath(root), metricFacts(root), entryDetails())
  // The package carries what is called and what a config or a report names; types are on the site.
  .filter(({ kind, name }) => kind !== "name" || /^[a-z]/.test(name))
  .map((entry) => ({
    name: entry.name,
    kind: entry.kind !== "name" || entry.entries.includes("evalkit") ? entry.kind : "program",
    summary: summaryOf(entry),
    text: entryMarkdown(entry),
  }))
// Of a command a few lines: its options are its help's to say, and the site prints that.
const commands = commandTable.map(({ usage, describe }) => {
  const name = usage.split(" ")[0] ?? usage
  const text = `# evalkit ${usage}\n\n${describe}.\n\nOptions and examples: evalkit ${name} --help\n`
  return { name, kind: "command", summary: describe, text }
})
mkdirSync(new URL("dist/reference/", root), { recursive: true })
writeFileSync(new URL("dist/reference/pages.json", root), JSON.stringify([...pages, ...commands]))
