import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { membersOf } from "../../core/json-members.ts"
import type { DecidingFacts, RunDifference } from "../../core/report/frozen-plan.ts"
import type { RunRecord } from "../../core/run/run-record.ts"

/**
 * What changed in data, variants (prompts, parameters, prices), metrics, settings and versions from one run to another; empty
 * when both asked the same. Variants and metrics are paired by name, so that their order does not matter.
 */
export function runDifferences(before: DecidingFacts, after: DecidingFacts): readonly RunDifference[] {
  const [a, b] = [facts(before), facts(after)]
  const all = [...new Map([...a, ...b])]
  // Those of one variant or metric stand together, wherever the second run has more of it.
  const positions = new Map<string, number>()
  for (const [, { about, of }] of all) {
    const owner = `${about} ${of}`
    if (!positions.has(owner)) positions.set(owner, positions.size)
  }
  const rank = ({ about, of }: Fact) => positions.get(`${about} ${of}`) ?? 0
  return all
    .toSorted(([, first], [, second]) => rank(first) - rank(second))
    .flatMap(([path, { about, of, keys }]): RunDifference[] => {
      const [first, second] = [a.get(path)?.value ?? null, b.get(path)?.value ?? null]
      return first === second ? [] : [{ about, path, of, keys, before: first, after: second }]
    })
}

/** Whether others say it better: a fingerprint beside what it is of, the source of a price beside the price. */
export function isIncluded({ of, keys }: RunDifference, all: readonly RunDifference[]): boolean {
  if (of === null || keys.length !== 1) return false
  const same = all.filter((runDifference) => runDifference.of === of && runDifference.keys.length > 1)
  if (keys[0] === "fingerprint") return same.length > 0
  return keys[0] === "priceSource" && same.some((runDifference) => runDifference.keys[0] === "price")
}

/** What decides of a run, without what only says how its calls are made. A prompt is kept as its hash. */
export function decidingFacts(
  run: Omit<DecidingFacts, "variants" | "metrics"> & Pick<RunRecord, "variants" | "metrics">,
): DecidingFacts {
  const { seed, repeats, margin, marginKind, missing, smallestGain, alpha, baseline, dataset } = run
  const { constraints, gate, breaks, difficultyFrom, variants } = run.config
  const facts = {
    seed,
    repeats,
    margin,
    marginKind,
    missing,
    smallestGain,
    alpha,
    baseline,
    dataset: { name: dataset.name, fingerprint: dataset.fingerprint, samples: dataset.samples },
    metrics: run.metrics.map(({ name, signature, primary }) => ({ name, signature, primary })),
    variants: run.variants.map(({ name, model, provider, quantization, fingerprint }) => ({
      name,
      model,
      provider,
      quantization,
      fingerprint,
    })),
    config: {
      constraints,
      gate,
      breaks,
      difficultyFrom,
      variants: membersOf(variants).map(({ name, prompt, parameters, price }) => ({
        name,
        prompt: { sha256: contentHash(prompt, 64) },
        parameters,
        price,
      })),
    },
  }
  return JSON.parse(JSON.stringify(facts)) as DecidingFacts
}

/** What of a run that was to follow these facts is another: {@link runDifferences} settings first, one line for what only one side has. */
export function decidingDifferences(before: DecidingFacts, after: DecidingFacts): readonly RunDifference[] {
  const named = { variant: "variants", metric: "metrics" } as const
  const all = runDifferences(before, after)
  const whole = (["variant", "metric"] as const).flatMap((about): RunDifference[] => {
    const [a, b] = [before, after].map((run) => new Set(run[named[about]].map(({ name }) => name))) as [
      Set<string>,
      Set<string>,
    ]
    return [...a, ...b].flatMap((of) => {
      if (a.has(of) && b.has(of)) return []
      const path = `${named[about]}.${of}`
      return [{ about, path, of, keys: [], before: a.has(of) ? of : null, after: b.has(of) ? of : null }]
    })
  })
  const isWhole = ({ about, of }: RunDifference) =>
    whole.some((runDifference) => runDifference.about === about && runDifference.of === of)
  const rest = all.filter((runDifference) => !isWhole(runDifference) && !isIncluded(runDifference, all))
  const isSetting = ({ about }: RunDifference) => about === "setting"
  return [...rest.filter(isSetting), ...whole, ...rest.filter((runDifference) => !isSetting(runDifference))]
}

interface Fact extends Pick<RunDifference, "about" | "of" | "keys"> {
  readonly value: string
}

/** Everything that a run asked, leaf by leaf, by its path. */
function facts(run: DecidingFacts): ReadonlyMap<string, Fact> {
  const { dataset, metrics, versions, config, name, seed, repeats, margin, marginKind, missing } = run
  const result = new Map<string, Fact>()
  const add = (about: Fact["about"], start: string, value: unknown, of: string | null = null) =>
    leaves(value, [], (keys, text) =>
      result.set([start, ...(of === null ? [] : [of]), ...keys].filter((part) => part !== "").join("."), {
        about,
        of,
        keys,
        value: text,
      }),
    )
  const { skipped, ...data } = dataset
  // What is a list of variants or metrics in the config stands below their names.
  const { variants: _variants, metrics: _metrics, dataset: _dataset, ...settings } = config
  add("data", "dataset", { ...data, skipped: skipped?.length })
  for (const variant of run.variants) add("variant", "variants", variantFacts(variant, config), variant.name)
  for (const metric of metrics) add("metric", "metrics", metric, metric.name)
  const { smallestGain, alpha, baseline } = run
  const decisive = { seed, repeats, margin, marginKind, missing, smallestGain, alpha, baseline, name }
  add("setting", "", { ...settings, ...decisive })
  add("version", "versions", versions)
  return result
}

/** What a run keeps of a variant, and what its config says of it: how its provider is asked, prompt, parameters, price, limits. */
function variantFacts(variant: { readonly name: string }, { variants }: JsonObject): JsonObject {
  const own = (membersOf(variants).find(({ name }) => name === variant.name) ?? {}) as JsonObject
  const { name: _, provider: identity = {}, ...asked } = own
  return { ...asked, identity, ...(variant as unknown as JsonObject) }
}

/** Every leaf of a value by its path, what is null as what is not there; deep ones are one text. */
export function leaves(
  value: unknown,
  keys: readonly string[],
  add: (keys: readonly string[], text: string) => void,
): void {
  if (value === undefined || value === null) return
  const isOpen = typeof value === "object" && keys.length < deepest
  if (!isOpen) add(keys, typeof value === "string" ? value : JSON.stringify(value as JsonValue))
  else for (const [key, part] of Object.entries(value)) leaves(part, [...keys, key], add)
}

const deepest = 8
