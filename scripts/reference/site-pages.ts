import { terms } from "../../reports/wording/terms/all.ts"
import type { Page, Section } from "../docs/pages.ts"
import type { CommandPage } from "./commands.ts"
import type { Kind, ReferenceEntry } from "./entries.ts"
import { entryMarkdown, summaryOf } from "./markdown.ts"
import { wordPages } from "./word-pages.ts"

/** The reference as pages of the site, and where each name stands. */
export interface ReferenceSite {
  readonly sections: readonly Section[]
  /** The page of a public name, with its anchor where it shares the page; undefined for what is no name. */
  pageOf(name: string): string | undefined
}

/** Kinds that have a page for each name, with the title of their list and the folder. */
const groups: readonly { readonly kind: Kind; readonly title: string; readonly folder: string }[] = [
  { kind: "metric", title: "Metrics", folder: "metrics" },
  { kind: "judge", title: "Judges", folder: "judges" },
  { kind: "rubric", title: "Rubrics", folder: "rubrics" },
  { kind: "provider", title: "Providers", folder: "providers" },
  { kind: "config", title: "Config fields", folder: "config" },
  { kind: "report", title: "Report fields", folder: "report" },
]

/**
 * A page for each metric, judge, rubric, provider, command, config and report field; the words that evalkit prints in a page for each
 * kind, and the other names in one for each entry.
 */
export function referencePages(entries: readonly ReferenceEntry[], commands: readonly CommandPage[]): ReferenceSite {
  const places = new Map<string, string>()
  const pages: Page[] = []
  const list = (title: string, path: string, lines: readonly string[]) =>
    pages.push({ path, title, text: `# ${title}\n\n${lines.join("\n")}\n` })
  for (const { kind, title, folder } of groups) {
    const own = entries.filter((entry) => entry.kind === kind).sort((a, b) => a.name.localeCompare(b.name))
    list(
      title,
      `reference/${folder}.md`,
      own.map((entry) => `- [${entry.name}](${folder}/${entry.name}.md): ${summaryOf(entry)}`),
    )
    for (const entry of own) {
      places.set(entry.name, `/reference/${folder}/${entry.name}.md`)
      pages.push({
        path: `reference/${folder}/${entry.name}.md`,
        title: entry.name,
        text: `${entryMarkdown(entry)}\nAll: [${title}](../${folder}.md)\n`,
      })
    }
  }
  list(
    "Commands",
    "reference/commands.md",
    commands.map(({ name, describe }) => `- [evalkit ${name}](commands/${name}.md): ${describe}`),
  )
  for (const { name, text } of commands)
    pages.push({ path: `reference/commands/${name}.md`, title: `evalkit ${name}`, text })
  const words = wordPages()
  pages.push(...words.pages)
  // In a text `http_5xx` and `no_reference` are these; other words are mostly names of something else there.
  for (const term of terms)
    if (term.kind === "outcome" || term.kind === "reason")
      places.set(term.title, places.get(term.title) ?? words.placeOf(term))
  const others = entries.filter(({ kind }) => kind === "name")
  for (const [entry, own] of byEntry(others)) {
    const path = `reference/names/${entry.replace("evalkit/", "").replace("evalkit", "index")}.md`
    const sorted = own.sort((a, b) => a.name.localeCompare(b.name))
    const anchors = anchorsFor(sorted.map(({ name }) => name))
    for (const { name } of sorted) places.set(name, `/${path}#${anchors.get(name)}`)
    const text = sorted.map((item) =>
      entryMarkdown(item, 2)
        .replace(/^## (.*)$/m, `## $1 {#${anchors.get(item.name)}}`)
        .replaceAll(/^### .*\n\n/gm, ""),
    )
    pages.push({
      path,
      title: `Names of ${entry}`,
      text: `# Names of ${entry}\n\nWhat \`${entry}\` exports besides what has a page of its own.\n\n${text.join("\n")}`,
    })
  }
  const shown = pages.filter(({ path }) => path.split("/").length === 2 || path.startsWith("reference/names/"))
  return {
    sections: [
      { title: "Reference", pages: shown },
      { title: "", pages: pages.filter((page) => !shown.includes(page)) },
    ],
    pageOf: (name) => places.get(name),
  }
}

/** Names by the first entry that exports them. */
function byEntry(entries: readonly ReferenceEntry[]): Map<string, ReferenceEntry[]> {
  const sorted = new Map<string, ReferenceEntry[]>()
  for (const entry of entries) {
    const [first = "evalkit"] = entry.entries
    sorted.set(first, [...(sorted.get(first) ?? []), entry])
  }
  return sorted
}

/** Anchors that differ where names differ in case only. */
function anchorsFor(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    names.map((name) => {
      const plain = name.toLowerCase().replaceAll(".", "-")
      const anchor = taken.has(plain) ? `${plain}-type` : plain
      taken.add(anchor)
      return [name, anchor]
    }),
  )
}
