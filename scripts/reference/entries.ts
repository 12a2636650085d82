import { createSources, type Member, type Sources } from "./declarations.ts"
import { type DocComment, readDocComment } from "./doc-comment.ts"
import { entryFiles, publicNames } from "./public-names.ts"

/** What a page is about. */
export type Kind = "metric" | "judge" | "rubric" | "provider" | "config" | "report" | "name"

/** One page of the reference. */
export interface ReferenceEntry extends DocComment {
  /** As a user writes it: `exactMatch`, `judged.contextRecall`, `config.margin`, `report.variants`. */
  readonly name: string
  readonly kind: Kind
  /** The entries that export it: `evalkit`, `evalkit/metrics`. */
  readonly entries: readonly string[]
  readonly signature: string
  readonly options: readonly Member[]
  /** What the metric itself says of its figure; absent for what is none. */
  readonly facts?: MetricFacts
  /** What is read from the thing itself: a rubric's verdicts, a service's address; in Markdown. */
  readonly details?: string
}

/** Facts of a metric as a config makes it. */
export interface MetricFacts {
  readonly direction: string
  readonly range: readonly [number | null, number | null]
  readonly unit: string
  readonly signature: string
}

/**
 * Every public name, every config field and every field of a report, with what their doc comments say.
 *
 * @param facts of the metrics, by the names of their factories
 * @param details of rubrics and presets, by name
 */
export function readEntries(
  root: string,
  facts: ReadonlyMap<string, MetricFacts>,
  details: ReadonlyMap<string, string> = new Map(),
): ReferenceEntry[] {
  const sources = createSources(root)
  const result = new Map<string, ReferenceEntry>()
  const add = (name: string, entry: string, file: string, symbol: string, comment: string | null) => {
    const values = result.get(name)
    if (values) return void result.set(name, { ...values, entries: [...new Set([...values.entries, entry])] })
    const own = facts.get(name) ?? facts.get(symbol)
    const detail = details.get(name)
    result.set(name, {
      ...readDocComment(comment),
      name,
      kind: kindOf(file, symbol, own !== undefined, name),
      entries: [entry],
      signature: sources.signature(file, symbol),
      options: optionsOf(sources, file, symbol),
      ...(own && { facts: own }),
      ...(detail !== undefined && { details: detail }),
    })
  }
  for (const [entry, file] of entryFiles())
    for (const [name, { file: at, symbol, comment }] of publicNames(file)) {
      if (symbol !== "*") add(name, entry, at, symbol, comment)
      else {
        add(name, entry, at, name, comment)
        for (const [inner, item] of publicNames(at))
          add(`${name}.${inner}`, entry, item.file, item.symbol, item.comment)
      }
    }
  return [
    ...result.values(),
    ...fieldsOf(sources, "config", "config", "src/config/config.ts", "EvaluationConfig"),
    ...fieldsOf(sources, "config", "variant", "src/config/config.ts", "VariantConfig"),
    ...fieldsOf(sources, "report", "report", "src/core/report/report.ts", "RunReport"),
  ]
}

function kindOf(file: string, symbol: string, isMetric: boolean, name: string): Kind {
  if (file.startsWith("judges/rubrics/")) return "rubric"
  if (isMetric) return file.startsWith("judges/") ? "judge" : "metric"
  const isProvider = /^src\/providers\/[\w-]+\.ts$/.test(file) && /^[a-z]/.test(symbol)
  return isProvider && !["textScorer"].includes(name) ? "provider" : "name"
}

/** The fields of the options that a function takes; those of an interface itself. */
function optionsOf(sources: Sources, file: string, symbol: string): readonly Member[] {
  const own = sources.members(file, symbol)
  if (own.length > 0) return own
  const types = [...sources.signature(file, symbol).matchAll(/: (?:Partial<)?(\w*(?:Options|Window|Config))\b/g)]
  return types.flatMap(([, type = ""]) => sources.members(file, type))
}

/** A page for each field of an interface, with the fields of the types that it names, two levels deep. */
function fieldsOf(sources: Sources, kind: Kind, prefix: string, file: string, type: string): ReferenceEntry[] {
  return sources.members(file, type).map((member) => ({
    ...readDocComment(null),
    text: member.text,
    name: `${prefix}.${member.name}`,
    kind,
    entries: ["evalkit"],
    signature: `${member.name}${member.optional ? "?" : ""}: ${member.type}`,
    options: innerFields(sources, sources.home(file, type) ?? file, member.type, kind === "report" ? 3 : 1),
  }))
}

function innerFields(sources: Sources, file: string, type: string, depth: number, path = ""): Member[] {
  if (depth === 0) return []
  const names = [...new Set(Array.from(type.matchAll(/\b([A-Z]\w+)/g), ([, name = ""]) => name))]
  return names.flatMap((name) => {
    const home = sources.home(file, name)
    if (home === null || ["Figure", "JsonValue", "Dataset", "Provider"].includes(name)) return []
    return sources.members(home, name).flatMap((member) => {
      const at = path === "" ? member.name : `${path}.${member.name}`
      return [{ ...member, name: at }, ...innerFields(sources, home, member.type, depth - 1, at)]
    })
  })
}
