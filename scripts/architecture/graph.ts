import type { Import } from "./imports.ts"

/** How many imports lead from one room to another. */
export interface RoomEdge {
  readonly from: string
  readonly to: string
  readonly imports: number
}

/** Edges between rooms, sorted by their names; imports inside a room are no edge. */
export function roomEdges(imports: readonly Import[], roomOf: (file: string) => string | undefined): RoomEdge[] {
  const counts = new Map<string, number>()
  for (const { from, to } of imports) {
    const [a, b] = [roomOf(from), roomOf(to)]
    if (a !== undefined && b !== undefined && a !== b) counts.set(`${a} ${b}`, (counts.get(`${a} ${b}`) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => {
      const [from = "", to = ""] = key.split(" ")
      return { from, to, imports: count }
    })
}

/**
 * A cycle of a graph as the list of its nodes, the first repeated at the end; null without one.
 *
 * @example findCycle([{ from: "a", to: "b" }, { from: "b", to: "a" }]) // ["a", "b", "a"]
 */
export function findCycle(edges: readonly { readonly from: string; readonly to: string }[]): string[] | null {
  const targets = targetsOf(edges)
  const done = new Set<string>()
  for (const start of targets.keys()) {
    const cycle = visit(start, [])
    if (cycle) return cycle
  }
  return null

  function visit(node: string, path: readonly string[]): string[] | null {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of targets.get(node) ?? []) {
      const cycle = visit(next, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return null
  }
}

/**
 * The edges of a graph without cycles that no longer path replaces (the transitive reduction): what is reached through
 * another room needs no arrow of its own.
 */
export function reduced(edges: readonly RoomEdge[]): RoomEdge[] {
  const targets = targetsOf(edges)
  return edges.filter(
    ({ from, to }) => !(targets.get(from) ?? []).some((between) => between !== to && reaches(between, to)),
  )

  function reaches(start: string, end: string): boolean {
    return start === end || (targets.get(start) ?? []).some((next) => reaches(next, end))
  }
}

function targetsOf(edges: readonly { readonly from: string; readonly to: string }[]): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  return targets
}
