import { firstFailure, type Reply } from "./ask.ts"

/**
 * Several requests that make one verdict (both orders of a pair, the rotations of a list): their time, tokens and cost, added up.
 *
 * @param join the verdict from the values; null when too few of the requests have one
 */
export function joinReplies<Part, Whole>(
  replies: readonly Reply<Part>[],
  join: (values: readonly (Part | null)[]) => Whole | null,
): Reply<Whole> {
  const value = join(replies.map((reply) => reply.value))
  return {
    value,
    failure: value === null ? firstFailure(replies) : null,
    calls: replies.reduce((sum, { calls }) => sum + calls, 0),
    repaired: replies.some(({ repaired }) => repaired),
    seconds: replies.reduce((sum, { seconds }) => sum + seconds, 0),
    costUsd: replies.reduce<number | null>(
      (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
      0,
    ),
  }
}
