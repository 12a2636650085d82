import { recreateMetric } from "../../../../metrics/recreate.ts"
import type { LoadedMetrics } from "../../../analyse/source/stored-metrics.ts"
import type { RunRecord } from "../../../core/run/run-record.ts"
import { createLiveFollower, type LiveFollower } from "./live-run.ts"
import { createLiveScoring, isCheap, type LiveScoring } from "./live-scoring.ts"

/** Runs that are followed at once; the one that was not looked at for longest is forgotten. */
const maxFollowed = 8

/** Who follows which run. */
export interface LiveFollowers {
  of(record: RunRecord): Promise<LiveFollower>
}

/** Followers, each made at the first look at its run, and shared by everybody who looks. */
export function createLiveFollowers(options: {
  loadMetrics(run: RunRecord): Promise<LoadedMetrics>
  readonly signal: AbortSignal
}): LiveFollowers {
  const followers = new Map<string, Promise<LiveFollower>>()
  return {
    of(record) {
      const existing = followers.get(record.id)
      const follower = existing ?? scoringOf(record, options).then((start) => createLiveFollower(record, start))
      followers.delete(record.id)
      followers.set(record.id, follower)
      const oldest = followers.keys().next()
      if (followers.size > maxFollowed && !oldest.done) followers.delete(oldest.value)
      return follower
    },
  }
}

/** What scores a run's answers while it goes on, or why they are scored later. */
async function scoringOf(
  record: RunRecord,
  { loadMetrics, signal }: Parameters<typeof createLiveFollowers>[0],
): Promise<() => LiveScoring | string> {
  const deciding = record.metrics.find(({ primary }) => primary) ?? record.metrics[0]
  if (!deciding) return () => "the run has no metric"
  const made = recreateMetric(deciding)
  const { metrics, cause } = made ? { metrics: [made], cause: null } : await loadMetrics(record)
  const metric = metrics.find(({ name, signature }) => name === deciding.name && signature === deciding.signature)
  if (!metric) return () => `scored after the last answer${cause === null ? "" : `: ${cause}`}`
  if (!isCheap(metric)) return () => "scored after the last answer: it asks a model, or needs another metric"
  return () => createLiveScoring(metric, record.alpha, signal)
}
