import type { Random } from "../../../src/core/random.ts"
import type { Manners } from "./service.ts"

/**
 * What is played: a run by live calls, alone or with workers; one by batch; one whose samples are conversations with tools; one that goes on
 * until it is decided, or that is extended.
 */
export type WorldKind = "run" | "batch" | "episode" | "decided"

/** What a seed makes of a world. */
export interface WorldPlan {
  readonly samples: number
  readonly repeats: number
  readonly concurrency: number
  /** 0: one process does it all. */
  readonly workers: number
  readonly budget: { readonly usd?: number; readonly requests?: number; readonly tokens?: number }
  readonly limits: {
    readonly concurrency?: number
    readonly requestsPerMinute?: number
    readonly tokensPerMinute?: number
  }
  readonly isJudged: boolean
  readonly batch?: BatchPlan
  readonly episode?: EpisodePlan
  readonly decided?: DecidedPlan
  readonly retries: number
  /** How many of each fault, within the first so many milliseconds. */
  readonly faults: Readonly<Record<FaultKind, number>>
  readonly withinMs: number
}

/** How a run by batch is asked, and how the service does it. */
export interface BatchPlan {
  readonly service: "openai" | "anthropic" | "gemini"
  /** Requests of one batch at most. */
  readonly requests: number
  /** Looks before a batch has ended. */
  readonly looks: number
  readonly pollSeconds: number
  readonly liveShare: number
  /** Share of the processes that have the batches cancelled. */
  readonly cancels: number
  /** How often a run that has ended with failures is gone on with. */
  readonly again: number
}

/** How a run comes to an end. */
export interface DecidedPlan {
  /** Variants beside the baseline. */
  readonly candidates: number
  readonly margin: number
  /** Samples of the runs that extend one another; null: one run that is looked at until it is decided. */
  readonly stages: readonly number[] | null
}

/** How conversations go. */
export interface EpisodePlan {
  /** Whether the samples hold all turns, a simulated user goes on after the first, or speaks first. */
  readonly user: "none" | "goesOn" | "begins"
  /** Turns that a model is shown beside the one it answers; null: all. */
  readonly last: number | null
  /** Whether a summary stands for the others. */
  readonly isSummed: boolean
  /** Share of the calls of tools that fail, half of them after they took effect. */
  readonly failing: number
  /** Whom the server of one tool serves; null: the tool is a function. */
  readonly server: "variant" | "episode" | null
}

export type FaultKind = (typeof faultKinds)[number]
export const faultKinds = [
  "kill",
  "killCoordinator",
  "dieInStatement",
  "interrupt",
  "stop",
  "cut",
  "loseCommit",
  "queueAway",
  "queueForgets",
  "deliverTwice",
  "clockJump",
  "outage",
] as const
const none = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, 0>

/** The same run by one process to which nothing happens. */
export function undisturbed(plan: WorldPlan): WorldPlan {
  return { ...plan, workers: 0, budget: {}, limits: {}, faults: none }
}

/** The plan of a world of a kind. */
export function makePlan(kind: WorldKind, random: Random): WorldPlan {
  const plan = runPlan(random)
  if (kind === "run") return plan
  if (kind === "episode") return episodesOf(plan, random)
  if (kind === "decided") return decidedOf(plan, random)
  const { killCoordinator, dieInStatement, interrupt, stop, clockJump, outage } = plan.faults
  const alone = { killCoordinator, dieInStatement, interrupt, stop, clockJump, outage }
  return {
    ...{ ...plan, workers: 0, repeats: 1, withinMs: 4 * plan.withinMs },
    faults: { ...none, ...alone, cut: random.integer(3), loseCommit: random.integer(3) },
    batch: {
      service: (["openai", "anthropic", "gemini"] as const)[random.integer(3)]!,
      ...{ requests: 2 + random.integer(20), looks: 1 + random.integer(6), pollSeconds: 3 + 27 * random.next() },
      liveShare: [0, 0, 0.3][random.integer(3)]!,
      ...{ cancels: random.next() < 0.5 ? 0 : 0.2, again: random.integer(3) },
    },
  }
}

/** The same run over more samples, read several times. */
function decidedOf(plan: WorldPlan, random: Random): WorldPlan {
  const pick = <T>(...choices: readonly T[]): T => choices[random.integer(choices.length)]!
  const stages = pick(null, null, [15 + random.integer(10), 30 + random.integer(10)])
  const samples = stages ? 45 + random.integer(10) : 25 + random.integer(50)
  const candidates = 1 + random.integer(3)
  const most = (amount: number): number => Math.ceil(((amount * samples) / plan.samples) * (0.5 + candidates / 2))
  return {
    ...{ ...plan, samples, withinMs: 2 * plan.withinMs },
    budget: Object.fromEntries(Object.entries(plan.budget).map(([name, amount]) => [name, most(amount)])),
    decided: { candidates, margin: pick(0.1, 0.25, 0.4), stages: stages && [...stages, samples] },
  }
}

/** The same run with conversations for samples: fewer, of about ten requests each. */
function episodesOf(plan: WorldPlan, random: Random): WorldPlan {
  const pick = <T>(...choices: readonly T[]): T => choices[random.integer(choices.length)]!
  const { usd, requests, tokens } = plan.budget
  return {
    ...{ ...plan, samples: Math.ceil(plan.samples / 3), withinMs: 2 * plan.withinMs },
    budget: {
      ...(usd !== undefined && { usd: 4 * usd }),
      ...(requests !== undefined && { requests: 4 * requests }),
      ...(tokens !== undefined && { tokens: 40 * tokens }),
    },
    episode: {
      ...{ user: pick("none", "goesOn", "begins"), last: pick(null, null, 0, 1), isSummed: pick(true, false) },
      ...{ failing: pick(0, 0.1, 0.3), server: plan.workers > 0 ? null : pick(null, "variant", "episode") },
    },
  }
}

function runPlan(random: Random): WorldPlan {
  const pick = <T>(...choices: readonly T[]): T => choices[random.integer(choices.length)]!
  const samples = 8 + random.integer(40)
  const repeats = pick(1, 1, 2)
  const calls = 2 * samples * repeats
  const share = 0.3 + random.next()
  const workers = pick(0, 1, 2, 3)
  const some = (most: number) => random.integer(most + 1)
  const isFleet = workers > 0
  return {
    ...{ samples, repeats, workers },
    concurrency: 1 + random.integer(6),
    budget: pick(
      {},
      {},
      { requests: Math.ceil(calls * share) },
      { usd: calls * share * 0.04 },
      { tokens: Math.ceil(calls * share * 25) },
    ),
    limits: pick({}, {}, { concurrency: 2 }, { requestsPerMinute: 300 }, { tokensPerMinute: 6_000 }),
    isJudged: pick(true, false),
    retries: random.integer(4),
    withinMs: 3_000 + 40_000 * random.next(),
    faults: {
      kill: isFleet ? some(4) : 0,
      killCoordinator: some(3),
      dieInStatement: some(3),
      interrupt: some(2),
      stop: some(2),
      cut: isFleet ? some(3) : 0,
      loseCommit: isFleet ? some(3) : 0,
      queueAway: isFleet ? some(2) : 0,
      queueForgets: isFleet ? some(2) : 0,
      deliverTwice: isFleet ? some(3) : 0,
      clockJump: some(2),
      outage: some(1),
    },
  }
}

export function mannersOf(random: Random): Manners {
  const share = () => (random.next() < 0.5 ? 0 : 0.15 * random.next())
  return {
    meanMs: 50 + 900 * random.next(),
    ...{ rateLimited: share(), error: share(), dropped: share(), brokenOff: share(), silent: share() / 3 },
  }
}
