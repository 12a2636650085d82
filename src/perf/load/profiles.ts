import { UsageError } from "../../core/errors.ts"
import { profileSources } from "../../words/perf/profiles.ts"

/** A published kind of traffic: how long its prompts and answers are, how its requests come, and what its users expect. */
export interface WorkloadProfile {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Share of the prompt that all requests have in common, 0..1; 0 where the source states none. */
  readonly sharedPrefix: number
  /** An open loop, where requests come by themselves, or a closed one, where each waits for the one before it. */
  readonly load:
    | { readonly kind: "open"; readonly ratePerSecond: number; readonly coefficientOfVariation: number }
    | { readonly kind: "closed"; readonly concurrency: number }
  /** Objectives, as `parseSlo` reads them. */
  readonly slo: string
  /** Where the figures are from, for the reader; what is evalkit's own choice says so. */
  readonly source: string
}

/**
 * Kinds of traffic by name. Lengths and objectives are those of load tools' own catalogues, arrivals those of published traces where there
 * are some: the coefficient of variation between requests is 1.09 for chat and 13.2 for code in the public Azure traces. Sources state
 * objectives for the 99th percentile, or none; evalkit counts the share of requests that meet all of them.
 *
 * @experimental
 */
export const workloadProfiles: Readonly<Record<ProfileName, WorkloadProfile>> = {
  chat: {
    promptTokens: 512,
    outputTokens: 256,
    sharedPrefix: 0,
    load: { kind: "open", ratePerSecond: 50, coefficientOfVariation: 1.09 },
    slo: "ttft<200ms,tpot<50ms",
    source: profileSources.chat,
  },
  rag: {
    promptTokens: 4096,
    outputTokens: 512,
    sharedPrefix: 0,
    load: { kind: "open", ratePerSecond: 20, coefficientOfVariation: 1 },
    slo: "ttft<300ms,tpot<100ms,e2e<3s",
    source: profileSources.rag,
  },
  summarise: {
    promptTokens: 4096,
    outputTokens: 128,
    sharedPrefix: 0,
    load: { kind: "open", ratePerSecond: 5, coefficientOfVariation: 1 },
    slo: "ttft<1s,e2e<10s",
    source: profileSources.summarise,
  },
  code: {
    promptTokens: 160_000,
    outputTokens: 425,
    sharedPrefix: 0.95,
    load: { kind: "open", ratePerSecond: 0.2, coefficientOfVariation: 13.2 },
    slo: "ttft<30s",
    source: profileSources.code,
  },
  agent: {
    promptTokens: 49_000,
    outputTokens: 659,
    sharedPrefix: 0.95,
    load: { kind: "closed", concurrency: 4 },
    slo: "e2e<5s",
    source: profileSources.agent,
  },
  batch: {
    promptTokens: 15_000,
    outputTokens: 500,
    sharedPrefix: 0,
    load: { kind: "closed", concurrency: 32 },
    slo: "ttft<15s,e2e<630s",
    source: profileSources.batch,
  },
}

/** Name of a {@link WorkloadProfile}. @experimental */
export type ProfileName = "chat" | "rag" | "summarise" | "code" | "agent" | "batch"

/**
 * The profile of a name.
 *
 * @throws UsageError for a name that is none
 */
export function profileOf(name: string): WorkloadProfile {
  if (Object.hasOwn(workloadProfiles, name)) return workloadProfiles[name as ProfileName]
  throw new UsageError("no such workload profile", {
    where: `--profile ${name.slice(0, 40)}`,
    hint: `one of ${Object.keys(workloadProfiles).join(", ")}`,
  })
}
