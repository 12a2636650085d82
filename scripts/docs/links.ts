import { posix } from "node:path"

/** What a page's text becomes on the site, and the files of the repository that it links to. */
export interface SitePage {
  readonly text: string
  /** Paths relative to the repository's root. */
  readonly files: readonly string[]
}

/** A link in Markdown: whether it is a picture, its words, its target. */
const links = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/**
 * A page's text for the site. Links to pages below `docs` stay; links to other files of the repository (an example, a test)
 * point to copies of them below `/repository/`. Text between fences stays as it is; outside of them what Vue would run or read
 * as a tag is written as text.
 *
 * @param path of the page, relative to `docs`
 * @param pageOf the reference page of a public name, for code that is nothing but that name
 */
export function sitePage(path: string, text: string, pageOf: (name: string) => string | undefined): SitePage {
  const files = new Set<string>()
  const linked = (line: string) =>
    line.replaceAll(links, (whole, image: string, label: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return whole
      const [file = ""] = target.split("#")
      const at = posix.normalize(posix.join("docs", posix.dirname(path), file))
      if (at.startsWith("docs/") && file.endsWith(".md")) return whole
      files.add(at)
      // The site's router knows pages only: other files are opened by the browser itself.
      const copy = `/repository/${at}`
      return image ? `![${label}](${copy})` : `<a href="${copy}" target="_blank">${inlineHtml(label)}</a>`
    })
  const named = (line: string) =>
    line.replaceAll(
      /(\[[^\]]*\]\([^)]*\)|<a .*?<\/a>)|`(\w+(?:\.\w+)?)(?:\(\))?`/g,
      (whole, link?: string, name = "") => {
        const page = link === undefined ? pageOf(name) : undefined
        return page === undefined ? whole : `[${whole}](${page})`
      },
    )
  const out = outsideFences(text, (line) => (line.startsWith("#") ? plain(line) : named(linked(plain(line)))))
  return { text: out, files: [...files] }
}

/** Every target that a page links to, without those between fences. */
export function linkTargets(text: string): string[] {
  const texts: string[] = []
  outsideFences(text, (line) => {
    for (const [, , , target = ""] of line.replaceAll(/`[^`]*`/g, "code").matchAll(links)) texts.push(target)
    return line
  })
  return texts
}

/** Applies a change to every line that is not between fences. */
export function outsideFences(text: string, change: (line: string) => string): string {
  let fence: string | null = null
  return text
    .split("\n")
    .map((line) => {
      const mark = /^\s*(```+|~~~+)/.exec(line)?.[1]
      if (mark !== undefined && fence === null) fence = mark
      else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null
      else if (fence === null) return change(line)
      return line
    })
    .join("\n")
}

/** Outside of code: no tags but comments, and no double braces, which Vue would run. */
function plain(line: string): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((part, i) => {
      if (i % 2 === 0) return part.replaceAll(/<(?!!--|wbr>)/g, "&lt;").replaceAll("{{", "&#123;&#123;")
      return part.includes("{{") ? inlineHtml(part) : part
    })
    .join("")
}

function inlineHtml(label: string): string {
  return label.replaceAll(/`+([^`]*)`+/g, (_, code: string) => `<code v-pre>${code.replaceAll("<", "&lt;")}</code>`)
}
