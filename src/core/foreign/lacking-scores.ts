import { isFailure, type Outcome } from "../outcome.ts"

/** Which answer of a variant it is. @experimental */
export interface AnswerKey {
  readonly sampleId: string
  readonly repeat: number
}

/** What is known of a metric besides the answers that have a score of it. @experimental */
export interface AskedOf {
  /** The log says that every metric is one of every answer. */
  readonly isUniform: boolean
  /** Samples of which the metric is asked, as other variants or logs show. */
  readonly alsoAsked: Iterable<string>
}

/**
 * The answers of a variant that lack a score of a metric which was asked of them: of all of them where it is one of every answer, as one is
 * that every answer has which did not fail; else of those to a sample that has a score of it elsewhere. What a log does not say of an
 * answer that failed is decided here, for logs that are imported and for those that are compared.
 *
 * @param scored the answers that have a row of the metric, with a score or without
 * @experimental
 */
export function lackingScores<Answer extends AnswerKey & { readonly outcome: Outcome }>(
  answers: readonly Answer[],
  scored: readonly AnswerKey[],
  { isUniform, alsoAsked }: AskedOf,
): readonly Answer[] {
  if (scored.length === answers.length) return []
  const keys = new Set(scored.map(keyOf))
  const answered = answers.filter(({ outcome }) => !isFailure(outcome))
  const isOfEvery = isUniform || (answered.length > 0 && answered.every((answer) => keys.has(keyOf(answer))))
  const asked = isOfEvery ? null : new Set([...scored.map(({ sampleId }) => sampleId), ...alsoAsked])
  return answers.filter((answer) => (asked?.has(answer.sampleId) ?? true) && !keys.has(keyOf(answer)))
}

function keyOf({ sampleId, repeat }: AnswerKey): string {
  return `${repeat}/${sampleId}`
}
