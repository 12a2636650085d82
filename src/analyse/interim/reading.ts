import { lookLevels } from "../../stats/sequential/look-levels.ts"
import { readingLevel } from "../../stats/sequential/staged-bound.ts"
import type { BetSample, BetSamples } from "./bet-samples.ts"

/**
 * How often a run is read before it ends, which decides at what level its bounds are read: `looks` that were planned
 * beforehand (early stopping), or `stages`, where a run that asked a part of its data set may be extended after it was read.
 * A run without a design is read once, at a number of samples that was fixed beforehand.
 * @experimental
 */
export type RunDesign = PlannedLooks | Stages

/** A run that is looked at while it goes on, and ends for a candidate as soon as that candidate is settled. @experimental */
export interface PlannedLooks {
  readonly kind: "looks"
  /** Sample ids in the order in which they are asked. */
  readonly order: readonly string[]
  /** Samples at each planned look, ascending. */
  readonly samples: readonly number[]
  /** Look, from 0, at which each candidate was read for the last time; the last of the run for others. */
  readonly at: ReadonlyMap<string, number>
  /** What a bound by betting reads beside the looks. */
  readonly bets: BetSamples
}

/** A run that was, or may be, extended. @experimental */
export interface Stages {
  readonly kind: "stages"
  /** Ids of the samples that each reading added, the first reading first. */
  readonly samples: readonly ReadonlySet<string>[]
  /** Whether it may be extended again, so that a part of the error rate is kept. */
  readonly more: boolean
}

/** A design as one candidate's comparison sees it. */
export type CandidateDesign = CandidateLooks | Stages

/** The one look at which a candidate was read for the last time. */
export interface CandidateLooks {
  readonly kind: "looks"
  readonly samples: readonly number[]
  readonly look: number
  /** Ids of the samples that had been asked by then. */
  readonly asked: ReadonlySet<string>
  /** Ids of these samples in the order in which they were asked, and those of them that a bound by betting reads. */
  readonly order: readonly string[]
  readonly bets: { readonly samples: readonly BetSample[]; readonly largest: number }
}

/** The reading of one candidate under a design. */
export function candidateDesignOf(design: RunDesign | null | undefined, candidate: string): CandidateDesign | null {
  if (!design) return null
  if (design.kind === "stages") return design
  const last = design.at.size === 0 ? design.samples.length - 1 : Math.max(...design.at.values())
  const look = design.at.get(candidate) ?? last
  const { samples, bets } = design
  const order = design.order.slice(0, samples[look])
  const asked = new Set(order)
  const seen = { ...bets, samples: bets.samples.filter(({ sampleId }) => asked.has(sampleId)) }
  return { kind: "looks", samples, look, asked, order, bets: seen }
}

/** One-sided level at which bounds are read now, so that all readings together err in at most `alpha`. */
export function levelOf(reading: CandidateDesign | null, alpha: number): number {
  if (reading === null) return alpha
  if (reading.kind === "stages") return readingLevel(alpha, reading.more)
  return lookLevels(reading.samples, reading.look, { alpha, sharpLooks: null }).spent
}
