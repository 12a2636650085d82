import { defaultPollSeconds } from "../core/batch/batch-record.ts"

/** Every default of a config, in one place; the documentation of each field repeats its value. */
export const defaults = {
  margin: 0.02,
  missing: "worst",
  smallestGain: 0.05,
  alpha: 0.05,
  repeats: 1,
  seed: 1,
  concurrency: 8,
  timeouts: { connectMs: 10_000, firstTokenMs: 60_000, gapMs: 30_000, totalMs: 300_000 },
  retry: { retries: 3, baseDelayMs: 500, maxDelayMs: 60_000 },
  batch: { liveShare: 0, pollSeconds: defaultPollSeconds },
  cache: false,
  axes: ["quality", "e2eMs", "costUsd"],
  directory: ".evalkit",
} as const
