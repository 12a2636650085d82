import type { Architecture } from "./architecture.ts"

/**
 * The page with the table of its rooms written anew, between `<!-- rooms -->` and `<!-- /rooms -->`.
 *
 * @throws Error when the page lacks a mark
 */
export function withTables(page: string, architecture: Architecture): string {
  return replaced(page, "rooms", roomTable(architecture))
}

function roomTable({ rooms, edges }: Architecture): string {
  const rows = rooms.map(({ path, does }) => {
    const imports = edges.filter(({ from }) => from === path).map(({ to }) => shortName(to))
    return `| \`${path}\` | ${does} | ${imports.join(", ") || "nothing of ours"} |`
  })
  return ["| room | what it does | imports |", "| --- | --- | --- |", ...rows].join("\n")
}

function shortName(path: string): string {
  return path.replace("src/", "")
}

function replaced(page: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no ${start} … ${end}`)
  return `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`
}
