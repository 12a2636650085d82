import { contentHash } from "../../core/json.ts"
import { hashOf, questionWords } from "./question-words.ts"

/** Texts in clusters by their words. */
export interface Topics {
  readonly count: number
  /** The cluster of a text, from 0; `count` for one that is like none of them. */
  of(text: string): number
  /** The three words that tell a cluster most from the rest. */
  name(topic: number): string
}

/** Collects texts as they pass by, then finds their clusters. */
export interface TopicFinder {
  add(text: string): void
  find(): Topics
}

/** Different texts that clusters are made of: those with the least hashes, so a random part whatever the order and the repeats. */
const maxTexts = 3_000
/** Words that are read of a text, at its head. */
const maxWords = 400
const buckets = 8_192
const maxTopics = 128
/** Cosines from which a text begins no cluster of its own, two clusters are one, and a text is like a cluster at all. */
const [joins, merges, isLike] = [0.3, 0.6, 0.12]
const rounds = 4
/** Shares: of texts that hold a word for it to count, least and most; of texts in a cluster for it to be one. */
const [minHeld, maxHeld, minShare] = [0.002, 0.5, 0.003]

type Vector = readonly (readonly [bucket: number, weight: number])[]

/**
 * Clusters of texts by the words that they share: spherical k-means over words weighted by their inverse document frequency, with as many
 * clusters as a first pass finds unlike each other (cosine under 0.3), at most 128. Words of fewer than 2 in 1,000 texts, or of more than half,
 * do not count. The same texts give the same clusters in whatever order they come. Linear in the words; memory: 3,000 texts' words.
 */
export function createTopicFinder(seed: number): TopicFinder {
  const held = new Float64Array(buckets)
  const words: (string | undefined)[] = new Array(buckets)
  let texts = 0
  let kept: { readonly hash: string; readonly set: readonly number[] }[] = []
  let limit = "~"
  const keepLeast = () => {
    const byHash = new Map(kept.map((one) => [one.hash, one]))
    kept = [...byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, maxTexts)
    if (kept.length === maxTexts) limit = kept.at(-1)?.hash ?? limit
  }
  return {
    add(text) {
      texts++
      const own = questionWords(text).words.slice(0, maxWords)
      const set = [...new Set(own.map((word) => hashOf(word) % buckets))]
      for (const bucket of set) held[bucket] = (held[bucket] as number) + 1
      for (const word of own) {
        const bucket = hashOf(word) % buckets
        const known = words[bucket]
        if (known === undefined || word < known) words[bucket] = word
      }
      const hash = contentHash([seed, own], 16)
      if (hash > limit) return
      if (kept.push({ hash, set }) >= 2 * maxTexts) keepLeast()
    },
    find() {
      keepLeast()
      const least = Math.max(2, minHeld * texts)
      const weights = held.map((n) => (n < least || n > maxHeld * texts ? 0 : Math.log(texts / n)))
      const vectors = kept.map(({ set }) => unit(set, weights)).filter((vector) => vector.length > 0)
      const centres = centresOf(vectors)
      const of = (text: string) => {
        const own = questionWords(text).words.slice(0, maxWords)
        const [topic, cosine] = nearest(unit([...new Set(own.map((word) => hashOf(word) % buckets))], weights), centres)
        return cosine < isLike ? centres.length : topic
      }
      const name = (topic: number) => {
        const centre = centres[topic]
        if (!centre) return "other"
        const ranked = [...centre.keys()].sort((a, b) => (centre[b] as number) - (centre[a] as number))
        return ranked
          .slice(0, 3)
          .map((bucket) => words[bucket])
          .join(" ")
      }
      return { count: centres.length, of, name }
    },
  }
}

function unit(set: readonly number[], weights: Float64Array): Vector {
  const known = set.filter((bucket) => (weights[bucket] as number) > 0)
  const length = Math.hypot(...known.map((bucket) => weights[bucket] as number))
  return known.map((bucket) => [bucket, (weights[bucket] as number) / length] as const)
}

function nearest(vector: Vector, centres: readonly Float64Array[]): readonly [topic: number, cosine: number] {
  let best: readonly [number, number] = [centres.length, 0]
  for (const [topic, centre] of centres.entries()) {
    let cosine = 0
    for (const [bucket, weight] of vector) cosine += weight * (centre[bucket] as number)
    if (cosine > best[1]) best = [topic, cosine]
  }
  return best
}

function centresOf(vectors: readonly Vector[]): readonly Float64Array[] {
  const sums: Float64Array[] = []
  let centres: Float64Array[] = []
  for (const vector of vectors) {
    const [topic, cosine] = nearest(vector, centres)
    const at = cosine >= joins || sums.length >= maxTopics ? Math.min(topic, sums.length - 1) : sums.length
    const sum = sums[at] ?? new Float64Array(buckets)
    sums[at] = sum
    for (const [bucket, weight] of vector) sum[bucket] = (sum[bucket] as number) + weight
    centres[at] = normalised(sum)
  }
  for (let round = 0; round < rounds; round++) {
    const next = centres.map(() => ({ sum: new Float64Array(buckets), size: 0 }))
    for (const vector of vectors) {
      const to = next[nearest(vector, centres)[0]]
      if (!to) continue
      to.size++
      for (const [bucket, weight] of vector) to.sum[bucket] = (to.sum[bucket] as number) + weight
    }
    const least = round < rounds - 1 ? 1 : Math.max(2, minShare * vectors.length)
    const large = next.filter(({ size }) => size >= least).sort((a, b) => b.size - a.size)
    centres = merged(large.map(({ sum }) => sum))
  }
  return centres
}

/** Sums of texts as centres, with those that are alike made one. */
function merged(sums: readonly Float64Array[]): Float64Array[] {
  const own: Float64Array[] = []
  for (const sum of sums) {
    const length = Math.sqrt(dot(sum, sum))
    const like = own.find((one) => dot(one, sum) >= merges * length * Math.sqrt(dot(one, one)))
    if (like) for (const [i, x] of sum.entries()) like[i] = (like[i] as number) + x
    else own.push(sum)
  }
  return own.map(normalised)
}

function normalised(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((x) => x / length)
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
