import { outsideFences } from "./links.ts"
import type { Section } from "./pages.ts"

/** `llms.txt` (llmstxt.org): what evalkit is, and every page with its first sentence, made from the site's own navigation. */
export function llmsText(sections: readonly Section[], front: string): string {
  const blocks = sections.map(({ title, pages }) => {
    const lines = pages.map((page) => {
      const about = firstSentence(page.text)
      return `- [${page.title}](/${page.path.replace(/\.md$/, ".html")})${about ? `: ${about}` : ""}`
    })
    return [`## ${title}`, "", ...lines].join("\n")
  })
  return `${["# evalkit", `> ${firstSentence(front)}`, ...blocks].join("\n\n")}\n`
}

/** The first sentence of a page's first paragraph, without its Markdown; empty where a page begins with something else. */
export function firstSentence(text: string): string {
  const lines: string[] = []
  let ended = false
  outsideFences(text.replace(/^---\n[\s\S]*?\n---\n/, ""), (line) => {
    const isText = /^[\w*`"[(“]/.test(line)
    if (!isText && lines.length > 0) ended = true
    if (isText && !ended) lines.push(line)
    return line
  })
  const paragraph = lines
    .join(" ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
  return /^.*?[.?!](?= |$)(?<!e\.g\.)/.exec(paragraph)?.[0] ?? paragraph
}
