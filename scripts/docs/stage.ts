import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { sitePage } from "./links.ts"
import { llmsText } from "./llms.ts"
import type { Page, Section } from "./pages.ts"
import { siteConfig, siteTheme } from "./site-config.ts"

/**
 * Writes what VitePress builds into `.docs`: the pages of `docs`, the reference, the files that pages link to, the config and
 * `llms.txt`. The folder is made anew each time.
 */
export function stageSite(
  root: string,
  sections: readonly Section[],
  extra: readonly Page[],
  pageOf: (name: string) => string | undefined,
): void {
  const site = join(root, ".docs")
  rmSync(site, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const linked = new Set<string>()
  for (const { path, text } of [...sections.flatMap(({ pages }) => pages), ...extra]) {
    const page = sitePage(path, text, (name) => {
      const to = pageOf(name)
      return to === `/${path}` ? undefined : to
    })
    // A page that no sidebar names has no neighbours: VitePress would lead from each to the very first page.
    write(
      path,
      extra.some((entry) => entry.path === path) ? `---\nprev: false\nnext: false\n---\n\n${page.text}` : page.text,
    )
    for (const file of page.files) linked.add(file)
  }
  for (const file of linked) copyFile(root, join(site, "public", "repository"), file)
  write(".vitepress/config.mjs", siteConfig(sections))
  for (const [path, text] of Object.entries(siteTheme)) write(`.vitepress/theme/${path}`, text)
  write("public/llms.txt", llmsText(sections, readFileSync(join(root, "docs/index.md"), "utf8")))
}

/** A file as it is; of a folder its README. */
function copyFile(root: string, to: string, path: string): void {
  const from = join(root, path)
  if (!existsSync(from)) throw new Error(`a page links to ${path}, which does not exist`)
  const target = join(to, path)
  if (statSync(from).isDirectory()) {
    const readme = posix.join(path, "README.md")
    mkdirSync(target, { recursive: true })
    if (existsSync(join(root, readme))) cpSync(join(root, readme), join(target, "index.html.md"))
    return
  }
  mkdirSync(dirname(target), { recursive: true })
  cpSync(from, target)
}
