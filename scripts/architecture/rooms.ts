import layers from "./layers.json" with { type: "json" }

/** What a room is for, which decides its colour in the picture. */
export type RoomKind = "front" | "catalogue" | "engine" | "endpoint" | "storage" | "figures" | "ground"

/** A folder that holds one idea, and its position in the picture. */
export interface Room {
  /** Folder from the repository's root; `src/*.ts` are the entry points. */
  readonly path: string
  readonly kind: RoomKind
  /** One line for the table of `docs/architecture.md`. */
  readonly does: string
  /** A few words for the box in the picture. */
  readonly short: string
  /** Row in the picture, 0 at the top; imports point to a larger row. */
  readonly row: number
  /** Centre of the box in the row, 0..1. */
  readonly x: number
}

/** Files directly in `src`: what a user of the package imports. */
export const entryPoints = "src/*.ts"

/**
 * Every room of `layers.json`, from the entry points down to the core. A room imports what stands in a lower layer; rooms of one layer
 * do not import each other. What is handed to the machine as a value (metrics, judges, providers, reports) stands above the machine.
 */
export const rooms: readonly Room[] = [[entryPoints], ...layers.layers.toReversed()].flatMap((layer, row) =>
  layer.map((path) => {
    const { kind, ...room } = layers.rooms[path as keyof typeof layers.rooms]
    return { path, kind: kind as RoomKind, ...room, row }
  }),
)

/** The room of a file, by its path from the repository's root; undefined outside of all rooms. */
export function roomOf(file: string): string | undefined {
  if (/^src\/[^/]+\.ts$/.test(file)) return entryPoints
  const parts = file.split("/")
  if (parts.length < 2) return undefined
  return parts[0] === "src" ? `src/${parts[1]}` : parts[0]
}
