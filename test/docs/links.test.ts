import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { anchorsOf } from "../../scripts/docs/anchors.ts"
import { linkTargets, sitePage } from "../../scripts/docs/links.ts"
import { firstSentence } from "../../scripts/docs/llms.ts"
import { readPages, sectionsOf } from "../../scripts/docs/pages.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const pages = readPages(root)
const others = readdirSync(root).filter((name) => name.endsWith(".md"))
const documents = [...pages.map(({ path }) => `docs/${path}`), ...others, "examples/README.md"]

/** What is wrong with the links of a document. */
function faults(document: string, text: string): string[] {
  return linkTargets(text).flatMap((target) => {
    if (/^[a-z]+:/.test(target)) return []
    const [file = "", anchor] = target.split("#")
    const path = file === "" ? join(root, document) : join(root, dirname(document), file)
    if (!existsSync(path)) return [`${target}: no such file`]
    if (anchor === undefined || !path.endsWith(".md")) return []
    return anchorsOf(file === "" ? text : readFileSync(path, "utf8")).has(anchor) ? [] : [`${target}: no such heading`]
  })
}

describe("the links of the documentation", () => {
  it.each(documents)("%s: lead to files and headings that exist", (document) => {
    expect(faults(document, readFileSync(join(root, document), "utf8"))).toEqual([])
  })

  it("are found to be wrong where they are", () => {
    const text =
      "[a](no/such.md) [b](#nothing) ```[c](code.md)``` `[d](code.md)`\n```\n[e](fenced.md)\n```\n# Some-thing `else`!\n[f](#some-thing-else)"
    expect(faults("docs/index.md", text)).toEqual(["no/such.md: no such file", "#nothing: no such heading"])
    expect([...anchorsOf(text)]).toEqual(["some-thing-else"])
  })
})

describe("the site", () => {
  it("takes up every page below docs, each once, in a part of its own folder", () => {
    const shown = sectionsOf(pages).flatMap(({ pages: own }) => own.map(({ path }) => path))
    expect([...shown, "index.md"].sort()).toEqual(pages.map(({ path }) => path).sort())
    const stranger = { path: "new-part/page.md", title: "A page", text: "# A page\n" }
    expect(sectionsOf([...pages, stranger]).at(-1)).toEqual({ title: "New part", pages: [stranger] })
  })

  it("opens each page with a title and a sentence", () => {
    for (const { path, title, text } of pages) {
      expect(title, path).not.toBe("")
      expect(firstSentence(text), path).not.toBe("")
    }
  })

  it("points links to other files at copies, names at their pages, and runs nothing that a page says", () => {
    const page = sitePage(
      "guides/x.md",
      "See [it](../../examples/rag/eval.config.ts), [that](../logs.md), `exactMatch()`, `{{ input }}` and {{ 1 + 1 }} <script>.\n```ts\n`exactMatch` {{ input }}\n```",
      (name) => (name === "exactMatch" ? "/reference/exactMatch.md" : undefined),
    )
    expect(page.files).toEqual(["examples/rag/eval.config.ts"])
    expect(page.text).toBe(
      'See <a href="/repository/examples/rag/eval.config.ts" target="_blank">it</a>, [that](../logs.md), [`exactMatch()`](/reference/exactMatch.md), <code v-pre>{{ input }}</code> and &#123;&#123; 1 + 1 }} &lt;script>.\n```ts\n`exactMatch` {{ input }}\n```',
    )
  })
})
