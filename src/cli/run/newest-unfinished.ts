import { basename } from "node:path"
import type { Overrides } from "../../config/overrides.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { variantFingerprint } from "../../core/variant.ts"
import { type StartedPart, startedPartOf } from "../../run/planned/started-part.ts"
import { withMetricNeeds } from "../../run/prepare.ts"
import { asStarted } from "./as-started.ts"

/** What a command line can say of the calls that a run makes. */
export type GivenPart = Pick<Overrides, "seed" | "repeats" | "variants"> & StartedPart

/**
 * The newest run of a config that has not finished, with the part of it that the run was started with (`--limit`, `--variant` …): what
 * `--resume` without a run goes on with. Null where there is none whose variants are still as they were.
 *
 * @param options options of this command line: a run that was started otherwise is another one
 */
export function newestUnfinished(
  store: Pick<RunStore, "runs" | "events">,
  evaluation: Evaluation,
  configPath: string,
  options: GivenPart,
): RunRecord | null {
  const names = new Set(Object.keys(options))
  const isOfConfig = (record: RunRecord): boolean => {
    if (record.status === "finished" || record.configPath === null) return false
    if (basename(record.configPath) !== basename(configPath)) return false
    if (record.retry && !evaluation.variants.some(({ name }) => name === record.retry?.base)) return false
    const part = startedPartOf(store, record.id)
    return (
      isAsked(record, part, options) && hasSameVariants(record, asStarted(evaluation, record, part, names).evaluation)
    )
  }
  return store.runs().find(isOfConfig) ?? null
}

/** Whether a run has what the command line asks for itself. */
function isAsked({ dataset, seed, repeats }: RunRecord, part: StartedPart, asked: GivenPart): boolean {
  for (const name of ["aa", "canary", "shard", "until"] as const)
    if (asked[name] !== undefined && asked[name] !== part[name]) return false
  return (
    hasSamples(dataset, part, asked.limit) && seed === (asked.seed ?? seed) && repeats === (asked.repeats ?? repeats)
  )
}

function hasSamples({ samples, isPart }: RunRecord["dataset"], part: StartedPart, limit: number | undefined): boolean {
  if (limit === undefined) return true
  if (part.canary !== undefined) return part.limit === limit
  return isPart ? samples === limit : samples <= limit
}

function hasSameVariants({ variants }: RunRecord, evaluation: Evaluation): boolean {
  const asked = new Map(
    withMetricNeeds(evaluation).variants.map((variant) => [variant.name, variantFingerprint(variant)]),
  )
  return variants.length === asked.size && variants.every(({ name, fingerprint }) => asked.get(name) === fingerprint)
}
