/** One of several machines' parts of a plan: the samples whose index in its order is `index` modulo `count`. */
export interface Shard {
  readonly index: number
  readonly count: number
}

/** `2/3` as a person writes it; null for what is no shard. */
export function parseShard(text: string): Shard | null {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(number) - 1, count: Number(count) }
  return shard.index >= 0 && shard.index < shard.count ? shard : null
}

/** How many samples of a plan a shard asks. */
export function shardSamples(samples: number, { index, count }: Shard): number {
  return Math.max(0, Math.ceil((samples - index) / count))
}
