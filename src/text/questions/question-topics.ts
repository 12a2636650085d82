import { contentHash } from "../../core/json.ts"
import { hashOf, questionWords } from "./question-words.ts"

/** Texts in clusters. */
export interface Topics {
  readonly count: number
  /** The cluster of each text, from 0; `count` for one that is like none of them. */
  of(texts: readonly string[]): Promise<readonly number[]>
  /** The three words that tell a cluster most from the rest; `other` for what is like none. */
  name(topic: number): string
}

/** Collects texts as they pass by, then finds their clusters. */
export interface TopicFinder {
  add(text: string): void
  find(): Promise<Topics>
}

/** Turns texts into vectors of length 1. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** Different texts that clusters are made of: those with the least hashes, so a random part whatever the order and the repeats. */
const maxTexts = 3_000
/** Characters that are read of a text, at its head. */
const maxLength = 2_000
const buckets = 8_192
const maxTopics = 128
/** Cosines from which a text begins no cluster of its own, two clusters are one, and a text is like a cluster at all. */
interface Likeness {
  readonly joins: number
  readonly merges: number
  readonly isLike: number
}
const ofWords: Likeness = { joins: 0.3, merges: 0.6, isLike: 0.12 }
const ofEmbeddings: Likeness = { joins: 0.5, merges: 0.8, isLike: 0.25 }
const rounds = 4
/** Shares: of texts that hold a word for it to count, least and most; of texts in a cluster for it to be one. */
const [minHeld, maxHeld, minShare] = [0.002, 0.5, 0.003]

type Vector = readonly (readonly [index: number, weight: number])[]

/**
 * Clusters of texts by embeddings, or else by the words that they share: spherical k-means, with as many clusters as a first pass finds
 * unlike each other, at most 128. Words are weighted by their inverse document frequency; those of fewer than 2 in 1,000 texts, or of more
 * than half, do not count. The same texts give the same clusters in whatever order they come. Linear; memory: 3,000 texts.
 */
export function createTopicFinder(seed: number, embed?: Embed): TopicFinder {
  const held = new Float64Array(buckets)
  let texts = 0
  let kept: { readonly hash: string; readonly text: string }[] = []
  let limit = "~"
  const keepLeast = () => {
    const byHash = new Map(kept.map((question) => [question.hash, question]))
    kept = [...byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, maxTexts)
    if (kept.length === maxTexts) limit = kept.at(-1)?.hash ?? limit
  }
  return {
    add(whole) {
      texts++
      const text = head(whole)
      for (const bucket of new Set(questionWords(text).words.map(bucketOf))) held[bucket] = (held[bucket] as number) + 1
      const hash = contentHash([seed, text], 16)
      if (hash <= limit && kept.push({ hash, text }) >= 2 * maxTexts) keepLeast()
    },
    async find() {
      keepLeast()
      const min = Math.max(2, minHeld * texts)
      const weights = held.map((n) => (n < min || n > maxHeld * texts ? 0 : Math.log(texts / n)))
      const byWords = (text: string) => unit(new Set(questionWords(text).words), weights)
      const vectorsOf = async (some: readonly string[]): Promise<readonly Vector[]> =>
        embed ? (await embed(some)).map((vector) => [...vector.entries()]) : some.map(byWords)
      const likeness = embed ? ofEmbeddings : ofWords
      const own = kept.map(({ text }) => text)
      const vectors = await vectorsOf(own)
      const centres = centresOf(
        vectors.filter((vector) => vector.length > 0),
        likeness,
      )
      const topicOf = (vector: Vector) => {
        const [topic, cosine] = nearest(vector, centres)
        return cosine < likeness.isLike ? centres.length : topic
      }
      const topics = new Map(own.map((text, i) => [text, topicOf(vectors[i] as Vector)]))
      const names = centres.map(() => new Map<string, number>())
      for (const [text, topic] of topics)
        for (const word of new Set(questionWords(text).words)) {
          const weight = weights[bucketOf(word)] as number
          const of = /\p{L}/u.test(word) && weight > 0 ? names[topic] : undefined
          of?.set(word, (of.get(word) ?? 0) + weight)
        }
      const name = (sums: ReadonlyMap<string, number>) => {
        const ranked = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        return ranked
          .slice(0, 3)
          .map(([word]) => word)
          .join(" ")
      }
      const named = [...names.map(name), "other"]
      return {
        count: centres.length,
        async of(some) {
          const heads = some.map(head)
          // An embedding takes some 10 ms of a processor: none is made twice.
          const others = [...new Set(heads)].filter((text) => !topics.has(text))
          const list = others.length === 0 ? [] : (await vectorsOf(others)).map(topicOf)
          const topicOfOther = new Map(others.map((text, i) => [text, list[i]]))
          return heads.map((text) => (topics.get(text) ?? topicOfOther.get(text)) as number)
        },
        name: (topic) => named[topic] ?? "other",
      }
    },
  }
}

const head = (text: string) => text.slice(0, maxLength)
const bucketOf = (word: string) => hashOf(word) % buckets

function addTo(sum: Float64Array | undefined, vector: Vector): void {
  if (sum) for (const [i, weight] of vector) sum[i] = (sum[i] as number) + weight
}

function unit(own: ReadonlySet<string>, weights: Float64Array): Vector {
  const list = [...new Set([...own].map(bucketOf))].filter((bucket) => (weights[bucket] as number) > 0)
  const length = Math.hypot(...list.map((bucket) => weights[bucket] as number))
  return list.map((bucket) => [bucket, (weights[bucket] as number) / length] as const)
}

function nearest(vector: Vector, centres: readonly Float64Array[]): readonly [topic: number, cosine: number] {
  let best: readonly [number, number] = [centres.length, 0]
  for (const [topic, centre] of centres.entries()) {
    let cosine = 0
    for (const [i, weight] of vector) cosine += weight * (centre[i] as number)
    if (cosine > best[1]) best = [topic, cosine]
  }
  return best
}

function centresOf(vectors: readonly Vector[], { joins, merges }: Likeness): readonly Float64Array[] {
  const sums: Float64Array[] = []
  let centres: Float64Array[] = []
  for (const vector of vectors) {
    const [topic, cosine] = nearest(vector, centres)
    const at = cosine >= joins || sums.length >= maxTopics ? Math.min(topic, sums.length - 1) : sums.length
    const sum = sums[at] ?? new Float64Array(buckets)
    sums[at] = sum
    addTo(sum, vector)
    centres[at] = normalised(sum)
  }
  for (let round = 0; round < rounds; round++) {
    const next = centres.map(() => ({ sum: new Float64Array(buckets), size: 0 }))
    for (const vector of vectors) {
      const to = next[nearest(vector, centres)[0]]
      if (!to) continue
      to.size++
      addTo(to.sum, vector)
    }
    const min = round < rounds - 1 ? 1 : Math.max(2, minShare * vectors.length)
    const large = next.filter(({ size }) => size >= min).sort((a, b) => b.size - a.size)
    centres = merged(
      large.map(({ sum }) => sum),
      merges,
    )
  }
  return centres
}

/** Sums of texts as centres, with those that are alike made one. */
function merged(sums: readonly Float64Array[], merges: number): Float64Array[] {
  const own: Float64Array[] = []
  for (const sum of sums) {
    const length = Math.sqrt(dot(sum, sum))
    const like = own.find((vector) => dot(vector, sum) >= merges * length * Math.sqrt(dot(vector, vector)))
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
