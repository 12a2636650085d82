import { contentHash } from "../../core/json.ts"
import { createRandom } from "../../core/random.ts"
import { type Variant, variantFingerprint } from "../../core/variant.ts"

/** One call that the plan wants: `position` is its place in the order of the whole run. */
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

/** Which calls of a plan are to be made: a shard, a round of early stopping. */
export type CallFilter = (call: PlannedCall) => boolean

/** Every call that the filter lets through, lane by lane. */
export function* plannedCalls(plan: Plan, wanted: CallFilter = () => true): Generator<PlannedCall> {
  for (const phases of plan.lanes.values())
    for (const phase of phases) for (const call of phase.calls()) if (wanted(call)) yield call
}

/** The samples whose place in the order is `index` modulo `count`: one of several machines' parts. */
export function shardFilter(shard: { readonly index: number; readonly count: number }): CallFilter {
  return (call) => call.order % shard.count === shard.index
}

/** Turns that each variant of a lane gets: fewer would let a slow drift of the machine favour one of them. */
const turns = 3

/**
 * Plans samples × variants × repeats: the samples in one seeded order, cut into three blocks; within a block each variant
 * of a lane has its turn, and who begins rotates from block to block. A variant whose server is exclusive gets one turn.
 */
export function planRun(options: {
  readonly variants: readonly Variant[]
  readonly sampleIds: readonly string[]
  readonly datasetFingerprint: string
  readonly repeats: number
  readonly seed: number
}): Plan {
  const { variants, repeats, seed } = options
  const order = askedOrder(options.sampleIds, seed)
  const laneVariants = new Map<string, Variant[]>()
  for (const variant of variants) {
    const lane = laneOf(variant)
    laneVariants.set(lane, [...(laneVariants.get(lane) ?? []), variant])
  }
  function* callsOf(variant: string, first: number, from: number, to: number): Generator<PlannedCall> {
    let position = first
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (let place = from; place < to; place++)
        yield { position: position++, order: place, variant, sampleId: order[place]!, repeat }
    }
  }
  let position = 0
  const lanes = new Map<string, Phase[]>()
  for (const [lane, members] of laneVariants) {
    const phases: Phase[] = []
    const add = (variant: Variant, from: number, to: number): void => {
      const first = position
      position += (to - from) * repeats
      if (position > first) phases.push({ variant: variant.name, calls: () => callsOf(variant.name, first, from, to) })
    }
    const shared = members.filter((variant) => !variant.provider.exclusive)
    const blocks = shared.length > 1 ? Math.min(turns, order.length) : 1
    for (let block = 0; block < blocks; block++) {
      const from = Math.floor((block * order.length) / blocks)
      const to = Math.floor(((block + 1) * order.length) / blocks)
      for (let turn = 0; turn < shared.length; turn++) add(shared[(block + turn) % shared.length]!, from, to)
    }
    for (const variant of members) if (variant.provider.exclusive) add(variant, 0, order.length)
    lanes.set(lane, phases)
  }
  return { hash: planHash(options), lanes, order }
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

function planHash(options: Parameters<typeof planRun>[0]): string {
  return contentHash({
    dataset: options.datasetFingerprint,
    variants: options.variants.map((variant) => [variant.name, variantFingerprint(variant)]),
    repeats: options.repeats,
    seed: options.seed,
  })
}
