import type { Document, LineCounter, Node, Pair, Range, Scalar, YAMLMap, YAMLSeq } from "yaml"
import { UsageError } from "../../core/errors.ts"
import type { ConfigEntry, ConfigNode, Offset } from "./config-node.ts"

/** A file as parts with their places. */
export interface ConfigDocument {
  readonly root: ConfigNode
  /** `eval.config.yaml:12:5` */
  readonly locate: (at: Offset) => string
}

/** More than any config is; a file beyond it is another file. */
const maxCharacters = 1_000_000
/** Parts, counted again at every alias: ten lines of aliases to aliases stand for billions. */
const maxNodes = 200_000
const maxLevels = 100

/**
 * Reads YAML 1.2, or JSON, without running anything: tags beyond the core schema are refused, as are two fields of one name, several
 * documents in a file, and aliases that stand for more than a config can hold. `<<` merges maps.
 *
 * @param shown the file, as messages name it
 * @throws UsageError with code `config_syntax` and file:line:column
 */
export async function readDocument(text: string, shown: string, isJson: boolean): Promise<ConfigDocument> {
  if (text.length > maxCharacters) throw syntax(`the config has more than ${maxCharacters} characters`, shown)
  const yaml = await import("yaml")
  const lines = new yaml.LineCounter()
  const options = { lineCounter: lines, uniqueKeys: true, merge: !isJson, prettyErrors: false } as const
  const document = parsed(() => yaml.parseDocument(text, { ...options, ...(isJson && { schema: "json" }) }), shown)
  const locate = (at: Offset) => placeIn(shown, lines, at)
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw syntax(said(fault, isJson), locate(fault.pos[0]), isJson ? notJson : undefined)
  if (isJson) refuseYaml(text, shown)
  return { root: convert(document, yaml, locate), locate }
}

function parsed<Value>(parse: () => Value, shown: string): Value {
  try {
    return parse()
  } catch (error) {
    // Brackets in brackets, thousands of them: the parser calls itself for each.
    if (error instanceof RangeError) throw syntax("the config has too many levels", shown)
    throw error
  }
}

function placeIn(shown: string, lines: LineCounter, at: Offset): string {
  const { line, col } = lines.linePos(at)
  return `${shown}:${line}:${col}`
}

function said({ code, message }: { readonly code: string; readonly message: string }, isJson: boolean): string {
  if (code === "DUPLICATE_KEY") return "the config has a field twice"
  if (isJson) return `the config is not JSON: ${message}`
  if (code === "MULTIPLE_DOCS") return "the config is several YAML documents in one file"
  if (code === "TAG_RESOLVE_FAILED") return `the config has a tag that is not read (${message})`
  return `the config has a syntax error: ${message}`
}

const notJson = "YAML and comments belong into eval.config.yaml"

/** Everything but JSON in a file that says it is JSON. */
function refuseYaml(text: string, shown: string): void {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch (error) {
    throw syntax(`the config is not JSON: ${(error as Error).message.slice(0, 200)}`, shown, notJson)
  }
}

function syntax(what: string, where: string, hint?: string): UsageError {
  return new UsageError(what, { code: "config_syntax", where, ...(hint !== undefined && { hint }) })
}

type Yaml = typeof import("yaml")

function convert(document: Document.Parsed, yaml: Yaml, locate: (at: Offset) => string): ConfigNode {
  let nodes = 0
  const anchors = new Map<string, Node>()
  const start = (node: Node | null | undefined): Offset => (node?.range as Range | null | undefined)?.[0] ?? 0

  const read = (yamlNode: Node | null | undefined, level: number, fallback: Offset): ConfigNode => {
    const at = yamlNode?.range ? start(yamlNode) : fallback
    if (++nodes > maxNodes || level > maxLevels)
      throw syntax(
        "the config stands for more than a config can hold: aliases of aliases, or too many levels",
        locate(at),
      )
    if (yaml.isAlias(yamlNode)) {
      const target = anchors.get(yamlNode.source)
      if (!target) throw syntax(`the config has no anchor &${yamlNode.source} before this alias`, locate(at))
      return { ...read(target, level + 1, at), at }
    }
    if (yamlNode?.anchor) anchors.set(yamlNode.anchor, yamlNode)
    if (yaml.isMap(yamlNode)) return { kind: "map", entries: entries(yamlNode, level), at }
    if (yaml.isSeq(yamlNode))
      return { kind: "list", items: (yamlNode as YAMLSeq<Node>).items.map((item) => read(item, level + 1, at)), at }
    return scalar((yamlNode as Scalar | null | undefined)?.value ?? null, at)
  }

  const scalar = (value: unknown, at: Offset): ConfigNode => {
    if (typeof value === "string") return { kind: "text", value, at }
    if (typeof value === "number") return { kind: "number", value, at }
    if (typeof value === "boolean") return { kind: "boolean", value, at }
    if (value === null) return { kind: "null", value, at }
    throw syntax("the config has a value that is not read", locate(at))
  }

  const entries = (map: YAMLMap, level: number): ReadonlyMap<string, ConfigEntry> => {
    const own = new Map<string, ConfigEntry>()
    const merged = new Map<string, ConfigEntry>()
    for (const { key, value } of map.items as readonly Pair<Node, Node | null>[]) {
      const keyAt = start(key)
      const name = yaml.isScalar(key) ? key.value : null
      const node = read(value, level + 1, keyAt)
      if (typeof name === "symbol" || name === "<<")
        for (const [field, entry] of mergedEntries(node, keyAt)) merged.set(field, entry)
      else if (typeof name !== "string" && typeof name !== "number" && typeof name !== "boolean")
        throw syntax("the config has a field whose name is no text", locate(keyAt))
      else if (name === "__proto__") throw syntax("the config has a field that is called __proto__", locate(keyAt))
      else own.set(String(name), { keyAt, value: node })
    }
    return new Map([...merged, ...own])
  }

  /** What `<<` brings in; of several maps the first wins. */
  const mergedEntries = (node: ConfigNode, at: Offset): ReadonlyMap<string, ConfigEntry> => {
    const maps = node.kind === "list" ? node.items : [node]
    return new Map(
      maps.toReversed().flatMap((configNode) => {
        if (configNode.kind !== "map") throw syntax("the config merges (<<) something that is no map", locate(at))
        return [...configNode.entries]
      }),
    )
  }

  return read(document.contents as Node | null, 0, 0)
}
