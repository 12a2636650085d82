import { basename } from "node:path"
import type { Overrides } from "../../config/overrides.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { variantFingerprint } from "../../core/variant.ts"
import { withMetricNeeds } from "../../engine/run/prepare.ts"
import { asStarted } from "./as-started.ts"

/**
 * The newest run of a config that has not finished, with the part of it that the run was started with (`--limit`, `--variant` …): what
 * `--resume` without a run goes on with. Null where there is none whose variants are still as they were.
 *
 * @param given options of this command line: a run that was started otherwise is another one
 */
export function newestUnfinished(
  store: Pick<RunStore, "runs">,
  evaluation: Evaluation,
  configPath: string,
  given: Pick<Overrides, "limit" | "canary" | "seed" | "repeats" | "variants">,
): RunRecord | null {
  const names = new Set(Object.keys(given))
  const isOfConfig = (record: RunRecord): boolean =>
    record.status !== "finished" &&
    record.configPath !== null &&
    basename(record.configPath) === basename(configPath) &&
    isAsked(record, given) &&
    hasSameVariants(record, asStarted(evaluation, record, names).evaluation)
  return store.runs().find(isOfConfig) ?? null
}

/** Whether a run has what the command line asks for itself. */
function isAsked(record: RunRecord, given: Overrides): boolean {
  const { dataset, seed, repeats } = record
  // Which samples a canary gets is known when the data set is read: such a run is found by its plan.
  if (given.canary !== undefined) return false
  const { limit = dataset.samples } = given
  const hasSamples = dataset.isPart ? dataset.samples === limit : dataset.samples <= limit
  return hasSamples && seed === (given.seed ?? seed) && repeats === (given.repeats ?? repeats)
}

function hasSameVariants({ variants }: RunRecord, evaluation: Evaluation): boolean {
  const asked = new Map(withMetricNeeds(evaluation).variants.map((one) => [one.name, variantFingerprint(one)]))
  return variants.length === asked.size && variants.every(({ name, fingerprint }) => asked.get(name) === fingerprint)
}
