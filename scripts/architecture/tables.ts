import type { Architecture } from "./architecture.ts"
import { stages } from "./stages.ts"

/**
 * The page with its two tables written anew, each between `<!-- NAME -->` and `<!-- /NAME -->`.
 *
 * @throws Error when the page lacks a mark
 */
export function withTables(page: string, architecture: Architecture): string {
  return replaced(replaced(page, "rooms", roomTable(architecture)), "stages", stageTable(architecture))
}

function roomTable({ rooms, edges, rule }: Architecture): string {
  const rows = rooms.map(({ path, does }) => {
    const imports = edges.filter(({ from }) => from === path).map(({ to }) => to)
    const allowed = rule.find(({ room }) => room === path)?.mayImport
    const rest = allowed?.filter((room) => !imports.includes(room)).map(shortName) ?? ["every room"]
    const names = imports.map(shortName).join(", ") || "nothing of ours"
    return `| \`${path}\` | ${does} | ${names} | ${rest.join(", ")} |`
  })
  return ["| room | what it does | imports | may also import |", "| --- | --- | --- | --- |", ...rows].join("\n")
}

function stageTable({ stageEdges }: Architecture): string {
  const rows = stages.map(({ name, does }) => {
    const imports = stageEdges.filter(({ from }) => from === `src/engine/${name}`).map(({ to }) => to)
    return `| \`${name}\` | ${does} | ${imports.map(shortName).join(", ")} |`
  })
  return ["| stage | what it does | imports |", "| --- | --- | --- |", ...rows].join("\n")
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
