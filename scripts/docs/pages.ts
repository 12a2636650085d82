import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { type Part, parts, titleOfFolder } from "./navigation.ts"

/** A page of the site. `path` is relative to `docs`, with slashes: `guides/rag.md`. */
export interface Page {
  readonly path: string
  readonly title: string
  readonly text: string
}

/** Pages of one part in the order in which the sidebar shows them. */
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** Every page that lies below `docs`, but for the site's own first page. */
export function readPages(root: string): Page[] {
  return readdirSync(join(root, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(root, "docs").length + 1)
        .replaceAll("\\", "/"),
    )
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, "docs", path), "utf8")
      return { path, title: titleOf(text) ?? posix.basename(path, ".md"), text }
    })
}

/** Pages by parts: those that a part names first, then the others of its folder by title; other folders as parts of their own. */
export function sectionsOf(pages: readonly Page[]): Section[] {
  const folders = new Set(pages.map(({ path }) => folderOf(path)))
  const others: Part[] = [...folders]
    .filter((folder) => !parts.some((part) => part.folder === folder))
    .sort()
    .map((folder) => ({ title: titleOfFolder(folder), folder, order: [] }))
  return [...parts, ...others]
    .map(({ title, folder, order }) => {
      const rank = ({ path }: Page) => {
        const at = order.indexOf(posix.basename(path, ".md"))
        return at < 0 ? order.length : at
      }
      const own = pages.filter(({ path }) => folderOf(path) === folder && path !== "index.md")
      return { title, pages: own.sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title)) }
    })
    .filter(({ pages: own }) => own.length > 0)
}

/** The first heading of a page. */
export function titleOf(text: string): string | undefined {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "")
}

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === "." ? "" : folder
}
