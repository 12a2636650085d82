import type { ForeignLog, ForeignTool } from "../core/foreign/foreign-log.ts"
import { isRecord } from "../core/foreign/foreign-log.ts"
import { contentHash } from "../core/json.ts"
import type { Embed } from "../text/questions/question-topics.ts"
import { sampleOfTraffic } from "./traffic-sample.ts"

/** Tools that keep what an application asked in production, call by call. */
export const trafficTools: ReadonlySet<string> = new Set<ForeignTool>([
  ...([
    "litellm",
    "langfuse",
    "langsmith",
    "phoenix",
    "openai-completions",
    "helicone",
    "openrouter",
    "otlp",
    "access-log",
  ] as const),
])

/**
 * A seeded sample of a log. Of traffic: {@link sampleOfTraffic}. Of an evaluation: all answers to `count` of its samples; the same seed takes
 * the same samples of every log that asks them, in whatever order. Memory: a hash for each sample.
 */
export async function sampleOfLog(log: ForeignLog, count: number, seed: number, embed?: Embed): Promise<ForeignLog> {
  if (trafficTools.has(log.tool)) return sampleOfTraffic(log, count, seed, embed)
  const ranks = new Map<string, string>()
  for await (const read of log.records())
    if (isRecord(read) && !ranks.has(read.sample.id)) ranks.set(read.sample.id, contentHash([seed, read.sample.id]))
  if (ranks.size <= count) return log
  const taken = new Set(
    [...ranks]
      .sort(([, a], [, b]) => (a < b ? -1 : 1))
      .slice(0, count)
      .map(([id]) => id),
  )
  return {
    ...log,
    notes: [...log.notes, `a random ${count} of its ${ranks.size} samples (seed ${seed})`],
    async *records() {
      for await (const read of log.records()) if (!isRecord(read) || taken.has(read.sample.id)) yield read
    },
  }
}
