import type { JsonValue } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"

/** One thing that two runs did not have in common. */
export interface RunDifference {
  readonly about: "data" | "variant" | "metric" | "setting" | "version"
  /** Where it stands: `variants.m-q8_0.parameters.temperature`. */
  readonly path: string
  /** Null: it is not there. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * What changed in data, variants (prompts, parameters, prices), metrics, settings and versions from one run to another; empty
 * when both asked the same. Variants and metrics are paired by name, so that their order does not matter.
 */
export function runDifferences(before: RunRecord, after: RunRecord): readonly RunDifference[] {
  const [a, b] = [facts(before), facts(after)]
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((path): RunDifference[] => {
    const [one, other] = [a.get(path) ?? null, b.get(path) ?? null]
    return one === other ? [] : [{ about: aboutOf(path), path, before: one, after: other }]
  })
}

function facts({
  name,
  dataset,
  variants,
  metrics,
  versions,
  seed,
  repeats,
  margin,
  alpha,
  baseline,
  config,
}: RunRecord) {
  const found = new Map<string, string>()
  const named = (list: readonly { readonly name: string }[]) => Object.fromEntries(list.map((one) => [one.name, one]))
  const { skipped, ...data } = dataset
  // What is a list of variants or metrics in the config stands below their names already.
  const { variants: _variants, metrics: _metrics, dataset: _dataset, ...settings } = config
  const own = { seed, repeats, margin, alpha, baseline }
  walk({ dataset: { ...data, skipped: skipped.length }, variants: named(variants), metrics: named(metrics) }, "", found)
  walk({ ...settings, ...own, name, versions }, "", found)
  return found
}

/** Every leaf of a value by its path; deep ones are one text. */
function walk(value: unknown, path: string, found: Map<string, string>, depth = 0): void {
  if (value === undefined) return
  const isOpen = typeof value === "object" && value !== null && depth < deepest
  if (!isOpen) {
    found.set(path, typeof value === "string" ? value : JSON.stringify(value as JsonValue))
    return
  }
  for (const [key, part] of Object.entries(value)) walk(part, path === "" ? key : `${path}.${key}`, found, depth + 1)
}

const deepest = 8

function aboutOf(path: string): RunDifference["about"] {
  const [first] = path.split(".")
  if (first === "dataset") return "data"
  if (first === "variants") return "variant"
  if (first === "metrics") return "metric"
  return first === "versions" ? "version" : "setting"
}
