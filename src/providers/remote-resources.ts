import type { ResourceUsage } from "../core/provider.ts"

/** Of an endpoint that somebody else runs. */
export const remoteResources: ResourceUsage = {
  peakRssBytes: null,
  rssOverIdleBytes: null,
  cpuSeconds: null,
  gpu: null,
  modelBytes: null,
  loadMs: null,
  reason: "the endpoint was not started here, so its processes cannot be seen",
}
