/** Where something stands in a file: bytes from its beginning, in UTF-16 units. */
export type Offset = number

/** A part of a YAML or JSON file with its place: what a config says, before it is known what is meant. */
export type ConfigNode =
  | { readonly kind: "text"; readonly value: string; readonly at: Offset }
  | { readonly kind: "number"; readonly value: number; readonly at: Offset }
  | { readonly kind: "boolean"; readonly value: boolean; readonly at: Offset }
  | { readonly kind: "null"; readonly value: null; readonly at: Offset }
  | { readonly kind: "list"; readonly items: readonly ConfigNode[]; readonly at: Offset }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, ConfigEntry>; readonly at: Offset }

/** A field of a map. */
export interface ConfigEntry {
  readonly keyAt: Offset
  readonly value: ConfigNode
}

/** The plain value that a node stands for. */
export function plainValue(node: ConfigNode): unknown {
  if (node.kind === "list") return node.items.map(plainValue)
  if (node.kind === "map")
    return Object.fromEntries([...node.entries].map(([name, { value }]) => [name, plainValue(value)]))
  return node.value
}

/**
 * The place of a path such as `variants[1].prompt`, as near as the file has it: what a factory made has no parts in the file.
 *
 * @example placeOfPath(root, "metrics[2].name") // where the third metric stands
 */
export function placeOfPath(root: ConfigNode, path: string): Offset {
  let node = root
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const next =
      index === undefined ? entryOf(node, name as string) : node.kind === "list" ? node.items[Number(index)] : undefined
    if (!next) break
    node = next
  }
  return node.at
}

function entryOf(node: ConfigNode, name: string): ConfigNode | undefined {
  return node.kind === "map" ? node.entries.get(name)?.value : undefined
}
