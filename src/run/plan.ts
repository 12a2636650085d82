import { EvalkitError, messageOf, UsageError } from "../core/errors.ts"
import { contentHash } from "../core/json.ts"
import type { Provider } from "../core/provider.ts"
import { createRandom } from "../core/random.ts"
import { type Variant, variantFingerprint } from "../core/variant.ts"
import { count, counted } from "../words/number.ts"
import { callWords } from "../words/run/calls.ts"
import { numberCalls } from "./planned/planned-calls.ts"
import type { Shard } from "./planned/shard.ts"

/** One call that the plan wants: `position` is its place in the order of the whole run. @experimental */
export interface PlannedCall {
  readonly position: number
  /** Place of the sample in the run's seeded order. */
  readonly order: number
  readonly variant: string
  readonly sampleId: string
  readonly repeat: number
}

/** What one variant is asked in one go. Phases of one lane run one after the other; lanes run side by side. */
export interface Phase {
  readonly variant: string
  /** The calls in order, made on demand: a plan of a million calls holds one list of sample ids. */
  calls(): Iterable<PlannedCall>
}

/** The order of a run. Variants that share a machine or an endpoint take turns, so that drift does not look like a difference. */
export interface Plan {
  /** Identity of what is asked; only an equal plan can be resumed. */
  readonly hash: string
  readonly lanes: ReadonlyMap<string, readonly Phase[]>
  /** Sample ids in the seeded order in which they are asked. */
  readonly order: readonly string[]
}

/** Which calls of a plan are to be made: a shard, a round of early stopping. @experimental */
export type CallFilter = (call: PlannedCall) => boolean

/** Every call that the filter lets through, lane by lane. */
export function* plannedCalls(plan: Plan, filter: CallFilter = () => true): Generator<PlannedCall> {
  for (const phases of plan.lanes.values())
    for (const phase of phases) for (const call of phase.calls()) if (filter(call)) yield call
}

/** The samples whose place in the order is `index` modulo `count`: one of several machines' parts. */
export function shardFilter(shard: Shard): CallFilter {
  return (call) => call.order % shard.count === shard.index
}

/** Turns that a long run is cut into at least: what drifts slowly then looks alike to all variants of a lane. */
const manyTurns = 20

/** Calls that one run can have: more are a slip of the pen, and would be counted through for minutes. */
const maxCalls = 1_000_000_000

/** What a plan is made from. */
export interface PlanOptions {
  readonly variants: readonly Variant[]
  readonly sampleIds: readonly string[]
  readonly datasetFingerprint: string
  readonly repeats: number
  readonly seed: number
  /** Requests in flight over all variants, at most: a turn keeps them busy. */
  readonly concurrency: number
}

/** @throws {UsageError} for more calls than a run can have */
export function checkCalls({
  sampleIds,
  variants,
  repeats,
}: Pick<PlanOptions, "sampleIds" | "variants" | "repeats">): void {
  const calls = sampleIds.length * variants.length * repeats
  if (calls <= maxCalls) return
  throw new UsageError(
    `${counted(sampleIds.length, "sample")} × ${counted(variants.length, "variant")} × ${counted(repeats, "repeat")} are ${counted(calls, "call")}, and a run has at most ${count(maxCalls)}`,
    { where: "repeats", hint: "ask fewer samples (--limit) or repeat them less often" },
  )
}

/**
 * Plans samples × variants × repeats: the samples in one seeded order, cut into short turns; in each, the variants of a lane
 * answer the same samples one after the other, forwards and backwards (`inTurn`). Variants of one exclusive server take turns by themselves,
 * behind all others; one that has such a server for itself gets one turn.
 *
 * @throws {UsageError} for more calls than a run can have
 */
export function planRun(options: PlanOptions): Plan {
  const { variants, repeats } = options
  const order = askedOrder(options.sampleIds, options.seed)
  checkCalls(options)
  const callsOf = numberCalls(variants, repeats, order)
  const lanes = new Map<string, Phase[]>()
  for (const [lane, members] of lanesOf(variants)) {
    const phases: Phase[] = []
    const add = ({ name }: Variant, from: number, to: number): void => {
      if (to > from && repeats > 0) phases.push({ variant: name, calls: () => callsOf(name, from, to) })
    }
    for (const group of turnGroups(members)) {
      const isAlone = group.length === 1 && group[0]?.provider.exclusive
      const length = isAlone ? order.length : turnLength(group, options)
      for (let turn = 0, from = 0; from < order.length; turn++, from += length)
        for (const variant of inTurn(group, turn)) add(variant, from, Math.min(order.length, from + length))
    }
    lanes.set(lane, phases)
  }
  return { hash: planHash(options), lanes, order }
}

/**
 * Samples of a turn: one where one request is in flight at a time, so that the variants of a lane alternate; else enough to
 * keep the requests in flight busy, and at most a twentieth of the run.
 */
function turnLength(members: readonly Variant[], { concurrency, sampleIds }: PlanOptions): number {
  const inFlight = Math.max(
    1,
    ...members.map(({ limits, provider }) =>
      Math.min(concurrency, limits.concurrency ?? concurrency, provider.concurrency ?? concurrency),
    ),
  )
  if (inFlight === 1 && members.length > 1) return 1
  return Math.max(2 * inFlight, Math.ceil(sampleIds.length / manyTurns))
}

/**
 * Variants in the order in which they have their part of a turn: forwards, backwards, backwards, forwards. What rises or falls evenly
 * cancels out of each pair over two turns, and such two share no stretch of one variant's requests with the next two.
 */
export function inTurn<T>(members: readonly T[], turn: number): readonly T[] {
  return turn % 4 === 1 || turn % 4 === 2 ? members.toReversed() : members
}

/** Who takes turns with whom: those of a lane that share it, then those of each server that must run alone. */
function turnGroups(members: readonly Variant[]): readonly (readonly Variant[])[] {
  const groups = new Map<Provider | null, Variant[]>()
  for (const variant of members) {
    const server = variant.provider.exclusive ? variant.provider : null
    groups.set(server, [...(groups.get(server) ?? []), variant])
  }
  const shared = groups.get(null)
  groups.delete(null)
  return [...(shared ? [shared] : []), ...groups.values()]
}

function lanesOf(variants: readonly Variant[]): ReadonlyMap<string, readonly Variant[]> {
  const lanes = new Map<string, Variant[]>()
  for (const variant of variants) lanes.set(laneOf(variant), [...(lanes.get(laneOf(variant)) ?? []), variant])
  return lanes
}

/** The order in which a run asks the samples of its data set: seeded. */
export function askedOrder(sampleIds: readonly string[], seed: number): string[] {
  return createRandom(`${seed}/plan`).shuffle(sampleIds)
}

/** The lane of the servers that evalkit starts on this machine. */
export const machineLane = "this machine"

/**
 * Variants of one lane never run at the same time. A server that must run alone shares the lane of all that run on this machine,
 * whatever its port.
 */
export function laneOf({ provider }: Variant): string {
  return provider.lane ?? (provider.exclusive ? machineLane : provider.endpoint)
}

function planHash(options: PlanOptions): string {
  return contentHash({
    dataset: options.datasetFingerprint,
    variants: options.variants.map((variant) => [variant.name, fingerprintOf(variant)]),
    repeats: options.repeats,
    seed: options.seed,
  })
}

/** @throws UsageError for a provider, a prompt or parameters of the user's own that cannot be written as JSON */
function fingerprintOf(variant: Variant): string {
  try {
    return variantFingerprint(variant)
  } catch (error) {
    if (error instanceof EvalkitError) throw error
    const what = callWords.noIdentity
    throw new UsageError(`${what}: ${messageOf(error)}`, { where: `variant ${variant.name}`, cause: error })
  }
}
