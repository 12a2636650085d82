import type { Generation } from "../../../core/generation.ts"
import { isAnswered, type Outcome } from "../../../core/outcome.ts"
import type { VariantReport } from "../../../core/report/report.ts"
import { isOurFault } from "../../../rows/rows-of.ts"

/** Failures with one message, whatever numbers and names it holds. */
export interface FailureCluster {
  readonly message: string
  /** Class of the failures. */
  readonly kind?: string
  /** The first of the messages, as it came. */
  readonly example: string
  readonly count: number
  /** Ids of the first samples. */
  readonly samples: readonly string[]
}

/** Collects messages of one kind and counts those that say the same. */
export interface MessageClusters {
  /** @param kind stays as it is before the message: a class of failures */
  add(message: string, sampleId: string, kind?: string): void
  /** The most frequent first. */
  clusters(): readonly FailureCluster[]
}

/** Different messages that are kept apart, at most; all others are counted as one. */
const maxClusters = 500
/** Samples that are named. */
const maxSamples = 3

export function createMessageClusters(): MessageClusters {
  const byKey = new Map<string, { kind?: string; example: string; count: number; samples: string[] }>()
  return {
    add(message, sampleId, kind) {
      const label = [...(kind === undefined ? [] : [kind]), ...(message === "" ? [] : [messagePattern(message)])].join(
        ": ",
      )
      const key = byKey.has(label) || byKey.size < maxClusters ? label : "other messages"
      const entry = byKey.get(key) ?? { ...(kind !== undefined && { kind }), example: message, count: 0, samples: [] }
      entry.count++
      if (entry.samples.length < maxSamples && !entry.samples.includes(sampleId)) entry.samples.push(sampleId)
      byKey.set(key, entry)
    },
    clusters: () =>
      [...byKey]
        .map(([message, entry]) => ({ message, ...entry }))
        .sort((a, b) => b.count - a.count || (a.message < b.message ? -1 : 1)),
  }
}

/** Adds an answer that failed to its cluster; requests that say nothing about the variant are left out. */
export function addFailure(clusters: MessageClusters, { outcome, failure, sampleId }: Generation): void {
  if (isAnswered(outcome) || isOurFault(outcome)) return
  clusters.add(failure?.message ?? "", sampleId, outcome)
}

/** Failures of a variant that its report keeps, at most. */
const maxKept = 5
/** Characters of a failure's message that a report keeps. */
const maxExampleLength = 400

/** The most frequent failures, each with the words of its first occasion, for the report; absent where there is none. */
export function failureReasons(clusters: readonly FailureCluster[]): Pick<VariantReport, "failures"> {
  if (clusters.length === 0) return {}
  return {
    failures: clusters.slice(0, maxKept).map(({ kind, example, count }) => ({
      outcome: kind as Outcome,
      message: example.slice(0, maxExampleLength),
      count,
    })),
  }
}

/** Characters of a message that are compared. */
const maxCharacters = 160

/**
 * A message without what differs from one failure to the next: quoted parts, addresses, long hexadecimal ids and numbers. The status of
 * an answer stays: it says which failure it was.
 *
 * @example messagePattern('HTTP 429: wait 12.5 s for "m-1"') // 'HTTP 429: wait # s for "…"'
 */
export function messagePattern(message: string): string {
  return message
    .slice(0, 4 * maxCharacters)
    .replace(/https?:\/\/[^\s"')]+/g, "URL")
    .replace(/"[^"]{1,200}"/g, '"…"')
    .replace(/'[^']{1,200}'/g, "'…'")
    .replace(/\b(?=[0-9a-f-]*\d)[0-9a-f]{6,}(?:-[0-9a-f]{2,})*\b/gi, "#")
    .replace(/\bHTTP \d{3}\b|\d+(?:[.,]\d+)*/g, (match) => (match.startsWith("HTTP") ? match : "#"))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxCharacters)
}
