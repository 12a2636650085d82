import type { JsonObject, JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import type { RunRecord } from "../../core/run/run-record.ts"

/** One thing that two runs did not have in common. */
export interface RunDifference {
  readonly about: "data" | "variant" | "metric" | "setting" | "version"
  /** Where it stands: `variants.m-q8_0.parameters.temperature`. */
  readonly path: string
  /** The variant or metric that it is of, by its name; null for all else. */
  readonly of: string | null
  /** What of it, from the outermost field to the innermost: `["parameters", "temperature"]`. */
  readonly keys: readonly string[]
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
  const all = [...new Map([...a, ...b])]
  // Those of one variant or metric stand together, wherever the second run has more of it.
  const places = new Map<string, number>()
  for (const [, { about, of }] of all) {
    const owner = `${about} ${of}`
    if (!places.has(owner)) places.set(owner, places.size)
  }
  const place = ({ about, of }: Fact) => places.get(`${about} ${of}`) ?? 0
  return all
    .toSorted(([, one], [, other]) => place(one) - place(other))
    .flatMap(([path, { about, of, keys }]): RunDifference[] => {
      const [one, other] = [a.get(path)?.value ?? null, b.get(path)?.value ?? null]
      return one === other ? [] : [{ about, path, of, keys, before: one, after: other }]
    })
}

interface Fact extends Pick<RunDifference, "about" | "of" | "keys"> {
  readonly value: string
}

/** Everything that a run asked, leaf by leaf, by its path. */
function facts(run: RunRecord): ReadonlyMap<string, Fact> {
  const { name, dataset, metrics, versions, seed, repeats, margin, alpha, baseline, config } = run
  const found = new Map<string, Fact>()
  const add = (about: Fact["about"], start: string, value: unknown, of: string | null = null) =>
    walk(value, [], (keys, text) =>
      found.set([start, ...(of === null ? [] : [of]), ...keys].filter((part) => part !== "").join("."), {
        ...{ about, of, keys, value: text },
      }),
    )
  const { skipped, ...data } = dataset
  // What is a list of variants or metrics in the config stands below their names.
  const { variants: _variants, metrics: _metrics, dataset: _dataset, ...settings } = config
  add("data", "dataset", { ...data, skipped: skipped.length })
  for (const one of run.variants) add("variant", "variants", variantFacts(one, config), one.name)
  for (const one of metrics) add("metric", "metrics", one, one.name)
  add("setting", "", { ...settings, seed, repeats, margin, alpha, baseline, name })
  add("version", "versions", versions)
  return found
}

/** What a run keeps of a variant, and what its config says of it: how its provider is asked, prompt, parameters, price, limits. */
function variantFacts(variant: RunRecord["variants"][number], { variants }: JsonObject): JsonObject {
  const listed = Array.isArray(variants) ? (variants as readonly JsonValue[]) : []
  const own = listed.find((one): one is JsonObject => isObject(one) && one.name === variant.name) ?? {}
  const { name: _, provider: identity = {}, ...asked } = own
  return { ...asked, identity, ...(variant as unknown as JsonObject) }
}

/** Every leaf of a value by its path, what is null as what is not there; deep ones are one text. */
function walk(value: unknown, keys: readonly string[], add: (keys: readonly string[], text: string) => void): void {
  if (value === undefined || value === null) return
  const isOpen = typeof value === "object" && keys.length < deepest
  if (!isOpen) add(keys, typeof value === "string" ? value : JSON.stringify(value as JsonValue))
  else for (const [key, part] of Object.entries(value)) walk(part, [...keys, key], add)
}

const deepest = 8
