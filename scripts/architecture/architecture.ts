import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type RoomEdge, roomEdges } from "./graph.ts"
import { type Import, readImports } from "./imports.ts"
import { entryPoints, type Room, roomOf, rooms } from "./rooms.ts"

/** The code as it stands. */
export interface Architecture {
  /** Rooms that exist, in the order of {@link rooms}. */
  readonly rooms: readonly Room[]
  /** Imports between rooms. */
  readonly edges: readonly RoomEdge[]
  /** Imports between files. */
  readonly imports: readonly Import[]
}

/** Folders at the top that hold code of the package. */
export const topFolders: readonly string[] = ["src", "metrics", "judges", "datasets", "reports"]

/**
 * Reads every import of the package.
 *
 * @param root the repository, with a slash at its end
 * @throws Error for a folder that `layers.json` does not name
 */
export function readArchitecture(root: string): Architecture {
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const present = new Set([...topFolders.slice(1), ...folders.map(({ name }) => `src/${name}`), entryPoints])
  const names = new Set(rooms.map(({ path }) => path))
  const unnamed = [...present].filter((path) => !names.has(path))
  if (unnamed.length > 0)
    throw new Error(`rooms without a line in scripts/architecture/layers.json: ${unnamed.join(", ")}`)
  const imports = readImports(root, topFolders)
  const existing = rooms.filter(({ path }) => present.has(path))
  return {
    rooms: existing,
    edges: roomEdges(imports, roomOf),
    imports,
  }
}
