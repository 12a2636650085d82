import { changesOfReports } from "../../src/analyse/decide/changes-of-reports.ts"
import type { HourlyPrice } from "../../src/core/cost.ts"
import type { Generation } from "../../src/core/generation.ts"
import { createRandom, type Random } from "../../src/core/random.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { CostFigures, VariantReport } from "../../src/core/report/report.ts"
import { createCostAccumulator } from "../../src/cost/cost-figures.ts"
import { limitState, parseConstraints } from "../../src/estimate/constraints.ts"
import { createSpeedAccumulator } from "../../src/perf/speed-figures.ts"
import { planRun } from "../../src/run/plan.ts"
import { normalCdf } from "../../src/stats/distributions.ts"
import { fakeAnswer, fakeProvider } from "../../test/support/fake-provider.ts"
import { fakeVariant } from "../../test/support/fake-variant.ts"

/** A server with slots that work side by side, and what a run asks of it. */
export interface HourlyWorld {
  readonly name: string
  readonly samples: number
  readonly concurrency: number
  /** Standard deviation over mean of a request's time. */
  readonly spread: number
  /** Whether the time follows the tokens of the answer; else all answers have as many. */
  readonly byTokens: boolean
  /** Standard deviation of the logarithm of a level that requests near each other share. */
  readonly drift?: number
}

/** Worlds from servers that hardly vary to those whose answers differ as those of language models do. */
export const hourlyWorlds: readonly HourlyWorld[] = [
  { name: "steady server", samples: 60, concurrency: 4, spread: 0.05, byTokens: false },
  { name: "steady server, long run", samples: 400, concurrency: 8, spread: 0.05, byTokens: false },
  { name: "one request at a time", samples: 100, concurrency: 1, spread: 0.3, byTokens: false },
  { name: "lengths vary, times follow", samples: 100, concurrency: 4, spread: 0.7, byTokens: true },
  { name: "lengths vary, long run", samples: 400, concurrency: 8, spread: 0.7, byTokens: true },
  { name: "times vary, lengths do not", samples: 200, concurrency: 4, spread: 1, byTokens: false },
  { name: "level wanders a little", samples: 400, concurrency: 4, spread: 0.3, byTokens: true, drift: 0.05 },
]

const price: HourlyPrice = {
  ...{ kind: "hourly", usdPerHour: 3, instances: 1, utilisation: 1 },
  ...{ source: "simulation", date: "2026-11-27" },
}
/** Both variants are models of one endpoint. */
const provider = fakeProvider("servers", () => fakeAnswer(""))
const meanMs = 100
const meanTokens = 50
/** Long answers are right less often: what a correct answer costs depends on both. */
const rightShare = 0.7

/** What one simulated run of two equal servers says. */
export interface HourlyRun {
  /** Whether the interval of each figure holds the truth. */
  readonly covers: { readonly perQuery: boolean; readonly perCorrect: boolean }
  /** Whether both figures have an interval at all, narrower than from a half of the figure to its double. */
  readonly isBounded: boolean
  /** Of a limit on the cost of a query that is exactly the truth. */
  readonly limit: "kept" | "violated" | "open"
  /** Whether one of two equal servers is said to be cheaper. */
  readonly isCheaperProven: boolean
}

/** Plays a run as the command plans it (first calls, turns) with two equal servers, and reads its cost as the report does. */
export function hourlyRun(world: HourlyWorld, seed: number): HourlyRun {
  const random = createRandom(`hourly/${world.name}/${seed}`)
  const plan = planRun({
    variants: ["a", "b"].map((name) => fakeVariant(name, provider, { price })),
    ...{ sampleIds: Array.from({ length: world.samples }, (_, i) => `s${i}`), datasetFingerprint: "", repeats: 1 },
    ...{ seed, concurrency: world.concurrency },
  })
  const sides = ["a", "b"].map((name) => ({ name, ...side(world, random.fork(name)) }))
  const phases = [...plan.lanes.values()].flat()
  for (const [i, { name, play }] of sides.entries()) {
    // As of a service over the network: one call is sent alone before the others.
    const own = phases.filter(({ variant }) => variant === name).map((phase) => [...phase.calls()])
    const [first] = own[0]?.splice(0, 1) ?? []
    play(first ? [first.sampleId] : [], i)
    for (const [turn, calls] of own.entries()) {
      play(
        calls.map(({ sampleId }) => sampleId),
        2 + 2 * turn + i,
      )
    }
  }
  const [a, b] = sides.map(({ figures }) => figures()) as [CostFigures, CostFigures]
  const truth = (price.usdPerHour / 3600) * (meanMs / 1000 / world.concurrency)
  const report = (cost: CostFigures) =>
    ({ cost, finished: world.samples, resources: {}, quality: [], tokens: {}, speed: {} }) as unknown as VariantReport
  const [limit] = parseConstraints(`costUsd <= ${truth}`)
  if (a.perQueryUsd.status === "unknown" || !limit) throw new Error("the cost of a query is unknown")
  const [change] = changesOfReports([], report(a), report(b), 0.05).filter(({ figure }) => figure === "costUsd")
  return {
    covers: {
      perQuery: holds(a.perQueryUsd, truth),
      perCorrect: holds(a.perCorrectUsd, truth / rightShare),
    },
    isBounded: [a.perQueryUsd, a.perCorrectUsd].every(isBounded),
    limit: limitState(a.perQueryUsd, limit),
    isCheaperProven: change?.isProven ?? false,
  }
}

function isBounded(figure: Figure): boolean {
  if (figure.status === "unknown") return false
  const { value, low, high } = figure
  return low != null && high != null && low > value / 2 && high < value * 2 && high > low
}

function holds(figure: Figure, truth: number): boolean {
  if (figure.status === "unknown") return false
  const { value, low = value, high = value } = figure
  return (low === null || low <= truth) && (high === null || truth <= high)
}

/** One server: `play` answers the samples of a turn, each slot one after the other. */
function side({ concurrency, spread, byTokens, drift = 0 }: HourlyWorld, random: Random) {
  const speed = createSpeedAccumulator()
  const cost = createCostAccumulator({ price })
  const sigma = Math.sqrt(Math.log(1 + spread ** 2))
  const memory = Math.exp(-1 / (2 * concurrency))
  let level = drift * random.normal()
  const play = (samples: readonly string[], segment: number) => {
    const free = new Array<number>(concurrency).fill(0)
    for (const [i, sampleId] of samples.entries()) {
      level = memory * level + Math.sqrt(1 - memory ** 2) * drift * random.normal()
      const slot = free.indexOf(Math.min(...free))
      const sendMs = (free[slot] as number) + i * 1e-3
      const length = Math.exp(sigma * random.normal() - sigma ** 2 / 2)
      const endMs = sendMs + meanMs * length * Math.exp(level - drift ** 2 / 2)
      free[slot] = endMs
      const right = rightShare + (length > 1 ? -1 : 1) * 0.2
      const correct = Number(random.next() < right + shift(sigma))
      const answer = generation(
        sampleId,
        segment,
        sendMs,
        endMs,
        Math.max(1, Math.round(meanTokens * (byTokens ? length : 1))),
      )
      speed.add(answer, correct)
      cost.add(answer, correct)
    }
  }
  return { play, figures: () => cost.figures(speed.rates(), null) }
}

/** So that the share of right answers is what it is said to be: short answers are more frequent than long ones. */
function shift(sigma: number): number {
  // P(length > 1) of a lognormal of mean 1 is Φ(−σ/2).
  const long = normalCdf(-sigma / 2)
  return 0.2 * (2 * long - 1)
}

function generation(sampleId: string, segment: number, sendMs: number, endMs: number, tokens: number): Generation {
  return {
    ...{ outcome: "ok", text: "", reasoning: "", toolCalls: [], logprobs: null, finishReason: "stop" },
    ...{ usage: { promptTokens: 10, cachedPromptTokens: null, completionTokens: tokens, reasoningTokens: null } },
    log: { scheduledMs: sendMs, sendMs, connectMs: null, headersMs: null, events: [], endMs },
    ...{ httpStatus: 200, failure: null, servedModel: null, server: null, variant: "a", sampleId, repeat: 0 },
    ...{ source: "measured", segment, position: 0, retries: [], cost: { status: "unknown", reason: "by the hour" } },
  }
}
