import { type ForeignLog, type ForeignRecord, isRecord } from "../core/foreign/foreign-log.ts"
import type { TrafficCoverage } from "../core/foreign/traffic-coverage.ts"
import { contentHash } from "../core/json.ts"
import type { Outcome } from "../core/outcome.ts"
import { createRandom } from "../core/random.ts"
import { inputText } from "../core/sample.ts"
import { languageOfText, loadDetector } from "../text/language.ts"
import { createTopicFinder, type Embed, type TopicFinder, type Topics } from "../text/questions/question-topics.ts"
import { createRepeatFinder, questionOf } from "../text/questions/repeated-questions.ts"
import { coverageNote } from "../wording/traffic.ts"

/** What is known of a call: what it is sorted by. */
export interface TrafficCall {
  /** Random, from the seed and its id, whatever the order of the log. */
  readonly rank: string

  readonly language: string
  readonly outcome: Outcome | null
  readonly costUsd: number | null
  /** Characters of question and answer. */
  readonly length: number
  /** Its cluster of words; -1: not known yet. */
  topic: number
  /** The least rank of the calls that ask the same; "" where no other asks it. */
  question: string
}

/** Parts of equal size that costs and lengths are split into. */
const parts = 4

/**
 * A sample of traffic in which every call had the same chance n / N, so that each stands for N / n calls and plain means, shares and
 * quantiles are those of the traffic, without weights. Calls are sorted by cluster of their words, language, outcome, cost, length and
 * question (what asks the same stands together), and every (N / n)-th is drawn from a random start: the sample has the traffic's parts of
 * each. (Systematic sampling of a sorted list; Cochran 1977, "Sampling Techniques", ch. 8.) Answers of several models to one call stay
 * together. A question that is drawn twice is two samples in one cluster.
 *
 * Reads the log three times. Memory: some 2 kB a call.
 */
export async function sampleOfTraffic(
  log: ForeignLog,
  count: number,
  seed: number,
  embed?: Embed,
): Promise<ForeignLog> {
  await loadDetector()
  const finder = createTopicFinder(seed, embed)
  const { calls, places, repeats } = await surveyed(log, finder, seed)
  if (calls.length <= count) return log
  const topics = await finder.find()
  markRepeats(calls, repeats.clusters())
  await findTopics(log, calls, places, topics)
  const drawn = new Set(draw(calls, count, seed))
  const coverage = coverageOf(calls, drawn)
  return {
    ...log,
    notes: [...log.notes, coverageNote(coverage, seed)],
    async *records() {
      const ids = new Map<number, string>()
      const taken = new Set<string>()
      for await (const read of log.records()) {
        if (!isRecord(read)) {
          yield read
          continue
        }
        const position = places.get(keyOf(read.sample.id, read.repeat)) as number
        if (!drawn.has(position)) continue
        const { topic, question } = calls[position] as TrafficCall
        let id = ids.get(position) ?? read.sample.id
        if (!ids.has(position)) for (let i = 2; taken.has(id); i++) id = `${read.sample.id}-${i}`
        taken.add(id)
        ids.set(position, id)
        const cluster = read.sample.cluster ?? (question || undefined)
        const metadata = { ...read.sample.metadata, traffic_cluster: topics.name(topic) }
        yield {
          ...read,
          repeat: 0,
          sample: { ...read.sample, id, metadata, ...(cluster !== undefined && { cluster }) },
        }
      }
    },
  }
}

const keyOf = (id: string, repeat: number) => `${repeat} ${id}`

async function* recordsOf(log: ForeignLog): AsyncGenerator<ForeignRecord> {
  for await (const read of log.records()) if (isRecord(read)) yield read
}

/** The first pass: what is known of each call, and its words. */
async function surveyed(log: ForeignLog, finder: TopicFinder, seed: number) {
  const calls: TrafficCall[] = []
  const places = new Map<string, number>()
  const repeats = createRepeatFinder()
  for await (const { sample, repeat, answer } of recordsOf(log)) {
    const key = keyOf(sample.id, repeat)
    if (places.has(key)) continue
    places.set(key, calls.length)
    const text = inputText(sample)
    const question = questionOf(sample)
    repeats.add({ id: String(calls.length) }, question)
    finder.add(text)
    calls.push({
      rank: contentHash([seed, sample.id, repeat], 16),
      language: languageOfText(text.slice(0, 300)) ?? "",
      outcome: answer?.outcome ?? null,
      costUsd: answer?.cost.status === "known" ? answer.cost.usd : null,
      length: question.text.length + (answer?.text.length ?? 0),
      topic: -1,
      question: "",
    })
  }
  return { calls, places, repeats }
}

/** Texts whose clusters are found at a time. */
const batchSize = 256

/** The second pass: the cluster of each call; of calls that ask the same, that of the one with the least rank. */
async function findTopics(
  log: ForeignLog,
  calls: readonly TrafficCall[],
  places: ReadonlyMap<string, number>,
  topics: Topics,
): Promise<void> {
  let batch: { readonly call: TrafficCall; readonly text: string }[] = []
  const flush = async () => {
    const numbers = await topics.of(batch.map(({ text }) => text))
    for (const [i, { call }] of batch.entries()) call.topic = numbers[i] as number
    batch = []
  }
  for await (const { sample, repeat } of recordsOf(log)) {
    const call = calls[places.get(keyOf(sample.id, repeat)) as number] as TrafficCall
    if (call.question !== "" && call.question !== call.rank) continue
    if (batch.push({ call, text: inputText(sample) }) >= batchSize) await flush()
  }
  await flush()
  const topicOf = new Map(calls.map(({ rank, topic }) => [rank, topic]))
  for (const call of calls) if (call.topic < 0) call.topic = topicOf.get(call.question) as number
}

function markRepeats(calls: readonly TrafficCall[], clusters: ReadonlyMap<string, string>): void {
  const least = new Map<string, string>()
  for (const [position, cluster] of clusters) {
    const { rank } = calls[Number(position)] as TrafficCall
    const existing = least.get(cluster)
    if (existing === undefined || rank < existing) least.set(cluster, rank)
  }
  for (const [index, cluster] of clusters) (calls[Number(index)] as TrafficCall).question = least.get(cluster) as string
}

/** Places of calls: every (N / n)-th of them in their order, from a random start. */
export function draw(calls: readonly TrafficCall[], count: number, seed: number): readonly number[] {
  const cost = partOf(calls.map(({ costUsd }) => costUsd ?? -1))
  const length = partOf(calls.map((call) => call.length))
  const order = calls.map((_, position) => position)
  const keys = calls.map((call, index) => [
    ...[String(call.topic), call.language, call.outcome ?? "", cost(index), length(index), call.question, call.rank],
  ])
  order.sort((a, b) => compare(keys[a] as readonly string[], keys[b] as readonly string[]))
  const step = calls.length / count
  const start = createRandom(seed).fork("traffic").next() * step
  return Array.from(
    { length: count },
    (_, i) => order[Math.min(calls.length - 1, Math.floor(start + i * step))] as number,
  )
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (const [i, text] of a.entries()) if (text !== b[i]) return text < (b[i] as string) ? -1 : 1
  return 0
}

/** Which part of equal size a value belongs to. */
function partOf(values: readonly number[]): (index: number) => string {
  const sorted = Float64Array.from(values).sort()
  const edges = Array.from(
    { length: parts - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / parts)] as number,
  )
  return (index) => String(edges.filter((edge) => (values[index] as number) >= edge).length)
}

function coverageOf(calls: readonly TrafficCall[], drawn: ReadonlySet<number>): TrafficCoverage {
  const covered = new Set([...drawn].map((index) => (calls[index] as TrafficCall).topic))
  const within = calls.filter(({ topic }) => covered.has(topic))
  const costOf = (list: readonly TrafficCall[]) => list.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  const cost = costOf(calls)
  return {
    calls: calls.length,
    sampled: drawn.size,
    repeated: calls.filter(({ question }) => question !== "").length,
    clusters: new Set(calls.map(({ topic }) => topic)).size,
    coveredClusters: covered.size,
    callShare: within.length / calls.length,
    costShare: cost > 0 ? costOf(within) / cost : null,
  }
}
