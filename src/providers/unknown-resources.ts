import type { ResourceUsage } from "../core/provider.ts"

/** What is known of a provider's resources where nothing of it can be measured. */
export const unknownResources = (reason: string): ResourceUsage => ({
  peakRssBytes: null,
  rssOverIdleBytes: null,
  cpuSeconds: null,
  gpu: null,
  modelBytes: null,
  loadMs: null,
  reason,
})

/** Of an endpoint that somebody else runs. */
export const remoteResources = unknownResources("the endpoint was not started here, so its processes cannot be seen")
