import type { LiveAnswer, LiveRun } from "../../../../reports/view/live-page.ts"
import type { Generation } from "../../../core/generation.ts"
import { isFailure } from "../../../core/outcome.ts"
import { unknown } from "../../../core/report/figure.ts"
import type { RunRecord } from "../../../core/run/run-record.ts"
import type { CallKey, RunStore } from "../../../core/run/run-store.ts"
import { answerLatency } from "../../../perf/answer-latency.ts"
import { createFailureCounts } from "./failure-counts.ts"
import { type FollowedVariant, followVariant } from "./followed-variant.ts"
import type { LiveScoring } from "./live-scoring.ts"
import { hardwareOnRecord } from "./price-on-record.ts"
import { createRate } from "./rate.ts"

/** How long one look may read answers, in milliseconds: what is left is read at the next look. */
const lookMs = 250
/** Answers that are read together. */
const blockSize = 40
/** Answers end in another order than they are planned in: so many positions back, new ones are looked for first. */
const window = 2_000
/** Answers that are shown, and characters of each text. */
const maxLatest = 12
const maxTextLength = 600
/** Looks that follow each other faster see the same. */
const freshMs = 700

/** Follows a run that is under way, from its store alone: every look reads the answers that are new, in bounded time. */
export interface LiveFollower {
  look(store: RunStore, record: RunRecord): Promise<LiveRun>
}

/** @param startScoring what scores the answers, from the first on; or why they are scored later */
export function createLiveFollower(
  record: Pick<RunRecord, "id" | "alpha" | "config">,
  startScoring: () => LiveScoring | string,
): LiveFollower {
  const { id, alpha } = record
  let scoring = startScoring()
  const variants = new Map<string, FollowedVariant>()
  const failures = createFailureCounts()
  let latest: (LiveAnswer & { readonly order: readonly [number, number] })[] = []
  const rate = createRate()
  let last: { readonly atMs: number; readonly run: Promise<LiveRun> } | null = null

  const of = (variant: string): FollowedVariant => {
    const existing = variants.get(variant) ?? followVariant(alpha, hardwareOnRecord(record, variant))
    variants.set(variant, existing)
    return existing
  }

  const add = (followed: FollowedVariant, generation: Generation): void => {
    const { variant, sampleId, outcome, failure, text, segment, log, cost } = generation
    followed.add(generation)
    if (isFailure(outcome)) failures.add(variant, outcome, failure?.message ?? "")
    latest.push({
      variant,
      sampleId,
      outcome,
      text: text.slice(0, maxTextLength),
      failure: failure?.message ?? null,
      e2eMs: answerLatency(generation).e2eMs,
      costUsd: cost.status === "known" ? cost.usd : null,
      order: [segment, log.endMs],
    })
    if (latest.length > 4 * maxLatest) latest = newest(latest)
  }

  const forget = (): void => {
    variants.clear()
    failures.clear()
    latest = []
    scoring = startScoring()
  }

  const read = async (store: RunStore, record: RunRecord): Promise<void> => {
    const endMs = performance.now() + lookMs
    const counts = store.countFinished(id)
    // A call that is asked again has no answer any more: what was counted of it is not to stay.
    if ([...variants].some(([name, { seen }]) => seen.size > (counts.get(name) ?? 0))) forget()
    for (const { name } of record.variants) {
      const finished = counts.get(name) ?? 0
      const followed = of(name)
      for (const block of blocks(unseen(store, followed, name, finished))) {
        if (performance.now() > endMs) return
        const keys = new Set(block.map(keyOf))
        const ids = [...new Set(block.map(({ sampleId }) => sampleId))]
        const samples = new Map(
          typeof scoring === "string"
            ? []
            : store.samplesOf(record.dataset.fingerprint, ids).map((sample) => [sample.id, sample]),
        )
        for (const generation of store.generationsTo(id, name, ids)) {
          if (!keys.has(keyOf(generation)) || followed.seen.has(generation.position)) continue
          add(followed, generation)
          const sample = samples.get(generation.sampleId)
          if (sample && typeof scoring !== "string") await scoring.add(name, sample, generation)
        }
      }
    }
  }

  const unseen = function* (
    store: RunStore,
    { seen, highest }: FollowedVariant,
    variant: string,
    finished: number,
  ): Generator<CallKey & { readonly position: number }> {
    if (seen.size >= finished) return
    for (const from of highest > window ? [highest - window, 0] : [0]) {
      for (const call of store.finishedFrom(id, variant, from)) if (!seen.has(call.position)) yield call
      if (seen.size >= finished) return
    }
  }

  const look = async (store: RunStore, record: RunRecord): Promise<LiveRun> => {
    await read(store, record)
    const counts = store.countFinished(id)
    const perVariant = record.dataset.samples * record.repeats
    const finished = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const planned = perVariant * record.variants.length
    const perSecond = rate.perSecond(finished, performance.now())
    latest = newest(latest)
    return {
      finished,
      planned,
      perSecond,
      remainingMs: perSecond && planned > finished ? ((planned - finished) / perSecond) * 1000 : null,
      variants: record.variants.map(({ name }) => {
        const followed = of(name)
        return {
          name,
          finished: counts.get(name) ?? 0,
          planned: perVariant,
          read: followed.seen.size,
          failure: store.variantState(id, name)?.failure ?? null,
          failed: followed.failed,
          e2eMs: followed.e2eMs(),
          totalUsd: followed.totalUsd(),
          quality: typeof scoring === "string" ? unknown(scoring) : scoring.figure(name),
        }
      }),
      failures: failures.list(),
      latest: latest.map(({ order: _, ...answer }) => answer),
    }
  }

  return {
    look(store, record) {
      const now = performance.now()
      if (last && now - last.atMs < freshMs) return last.run
      last = { atMs: now, run: look(store, record) }
      return last.run
    },
  }
}

function newest<Answer extends { readonly order: readonly [number, number] }>(answers: readonly Answer[]): Answer[] {
  return [...answers].sort((a, b) => b.order[0] - a.order[0] || b.order[1] - a.order[1]).slice(0, maxLatest)
}

function* blocks<Item>(items: Iterable<Item>): Generator<Item[]> {
  let block: Item[] = []
  for (const item of items) {
    block.push(item)
    if (block.length < blockSize) continue
    yield block
    block = []
  }
  if (block.length > 0) yield block
}

function keyOf({ sampleId, repeat }: CallKey): string {
  return `${repeat}\u0000${sampleId}`
}
