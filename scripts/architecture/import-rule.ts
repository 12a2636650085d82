import { readFileSync } from "node:fs"
import { entryPoints, type Room } from "./rooms.ts"

interface Linter {
  readonly overrides: readonly {
    readonly includes: readonly string[]
    readonly linter: {
      readonly rules: { readonly style?: { readonly noRestrictedImports?: Restriction } }
    }
  }[]
}

interface Restriction {
  readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] }
}

/** What the linter lets a room import. */
export interface RoomRule {
  readonly room: string
  readonly mayImport: readonly string[]
}

/** The import rule as biome.json states it, for each room that it restricts. */
export function readImportRule(root: string, rooms: readonly Room[]): RoomRule[] {
  const { overrides }: Linter = JSON.parse(readFileSync(`${root}biome.json`, "utf8"))
  return overrides.flatMap(({ includes, linter }) => {
    const groups = linter.rules.style?.noRestrictedImports?.options.patterns.flatMap(({ group }) => group)
    const room = includes[0]?.replace("/**", "")
    if (!groups || !rooms.some(({ path }) => path === room)) return []
    const closed = new Set(groups)
    const mayImport = rooms
      .map(({ path }) => path)
      .filter((path) => path !== room && path !== entryPoints && !closed.has(`**/${path.replace("src/", "")}/**`))
    return [{ room: room as string, mayImport }]
  })
}
