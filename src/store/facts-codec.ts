import type { GenerationSource } from "../core/generation.ts"
import type { AnswerFacts, LatencyKind, TimedFacts } from "../core/metric/scored-variant.ts"
import type { Outcome } from "../core/outcome.ts"

/** How the facts are derived and packed: one more whenever either changes. Others are derived from their answers again. */
const version = 1

/** What every text that {@link decodeFacts} reads begins with. */
export const factsMark = `[${version},`

type PackedFacts = readonly [
  version: number,
  outcome: Outcome,
  source: GenerationSource,
  latency: LatencyKind,
  ttftMs: number | null,
  e2eMs: number | null,
  tpotMs: number | null,
  costUsd: number | null,
  completionTokens: number | null,
  sentMs: number | null,
  segment: number | null,
  textHash: string,
  isGiven: 0 | 1,
  confidence: number | null,
]

/** The facts of an answer as they are kept beside it, so that a comparison of many answers reads none of their texts. */
export function encodeFacts({ facts, latency }: TimedFacts): string {
  const { sentMs = null, segment = null } = facts
  const packed: PackedFacts = [
    version,
    facts.outcome,
    facts.source,
    latency,
    facts.ttftMs,
    facts.e2eMs,
    facts.tpotMs,
    facts.costUsd,
    facts.completionTokens,
    sentMs,
    segment,
    facts.textHash,
    facts.isGiven ? 1 : 0,
    facts.confidence,
  ]
  return JSON.stringify(packed)
}

/** The inverse of {@link encodeFacts}. */
export function decodeFacts(text: string, { sampleId, repeat }: Pick<AnswerFacts, "sampleId" | "repeat">): TimedFacts {
  const packed = JSON.parse(text) as PackedFacts
  const [sentMs, segment] = [packed[9], packed[10]]
  const base = {
    sampleId,
    repeat,
    outcome: packed[1],
    source: packed[2],
    ttftMs: packed[4],
    e2eMs: packed[5],
    tpotMs: packed[6],
    costUsd: packed[7],
    completionTokens: packed[8],
    textHash: packed[11],
    confidence: packed[13],
  }
  // Fields are added, not spread: a comparison reads these of 100,000 answers, and objects of one shape are read several times faster.
  const facts: AnswerFacts = sentMs === null || segment === null ? base : Object.assign(base, { sentMs, segment })
  return { facts: packed[12] === 1 ? { ...facts, isGiven: true } : facts, latency: packed[3] }
}
