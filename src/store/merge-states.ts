import type { ResourceUsage } from "../core/provider.ts"
import type { VariantState } from "../core/run/run-record.ts"
import { addResources } from "../perf/server/add-resources.ts"
import { addTotals } from "../perf/server/server-totals.ts"
import { mergeReasons } from "../words/reasons/archive.ts"

/**
 * What became of a variant in two parts of a run: processor time, energy and the server's counters add up, peaks are the highest, and
 * notes stand once. A part in which the variant failed as a whole says why.
 */
export function joinStates(before: VariantState | null, now: VariantState): VariantState {
  if (!before) return now
  const server = addTotals(before.server, now.server ?? null)
  const served = before.served ?? now.served
  const givenUp = before.givenUp ?? now.givenUp
  return {
    ...(served !== undefined && { served }),
    ...(server && { server }),
    resources: joinResources(before.resources, now.resources),
    notes: [...new Set([...before.notes, ...now.notes])],
    failure: before.failure ?? now.failure,
    ...(givenUp !== undefined && { givenUp }),
  }
}

function joinResources(before: ResourceUsage | null, now: ResourceUsage | null): ResourceUsage | null {
  if (!before || !now) {
    const usage = before ?? now
    return usage && withoutSums(usage, mergeReasons.unrecordedPart)
  }
  return {
    ...addResources(before, now),
    // The first part's server is as good a witness as the last one's.
    modelBytes: now.modelBytes ?? before.modelBytes,
    loadMs: now.loadMs ?? before.loadMs,
    downloadMs: now.downloadMs ?? before.downloadMs ?? null,
    firstTokenMs: now.firstTokenMs ?? before.firstTokenMs ?? null,
    contextTokens: now.contextTokens ?? before.contextTokens ?? null,
    reason: now.reason ?? before.reason,
  }
}

/** The state of a part of which only some answers are taken: what it used was for all of them, so that no sum of it is known. */
export function inPart(state: VariantState, part: string): VariantState {
  const { resources } = state
  if (!resources) return state
  return { ...state, resources: withoutSums(resources, mergeReasons.sharedAnswers(part)) }
}

function withoutSums(resources: ResourceUsage, reason: string): ResourceUsage {
  const { gpu, cpuEnergy } = resources
  return {
    ...resources,
    cpuSeconds: null,
    gpu: gpu && {
      ...gpu,
      energyJoules: null,
      energyErrorJoules: null,
      energyIsValid: false,
      energyReason: reason,
      meanPowerWatts: null,
    },
    ...(cpuEnergy && { cpuEnergy: { ...cpuEnergy, joules: null, errorJoules: null, reason } }),
    reason: resources.reason ?? reason,
  }
}
