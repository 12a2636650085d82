import type { MetricRow } from "../../core/metric/metric.ts"
import type { TableData } from "../../core/report/report-sections.ts"
import type { Variant } from "../../core/variant.ts"
import { errorWithRepeats, type VarianceComponents } from "../../stats/variance-components.ts"
import { amount } from "../../words/number.ts"

/** Columns of the variance components. */
export const columns: TableData["columns"] = [
  { title: "of" },
  { title: "tasks" },
  { title: "episodes" },
  { title: "between tasks", unit: "variance" },
  { title: "the user's draw", unit: "variance" },
  { title: "own noise", unit: "variance" },
  { title: "user and noise together", unit: "variance" },
  { title: "the user's share" },
]
/** A variant that talked with simulated users, and its rows of the metric that is looked at. */
export interface SimulatedConversations {
  readonly variant: Pick<Variant, "name" | "episode">
  readonly isBaseline: boolean
  readonly rows: readonly MetricRow[]
}

/** Why users and the noise cannot be told apart, where they cannot. */
export function unrepeatedUsersSentence(conversations: readonly SimulatedConversations[]): string[] {
  const repeats = Math.max(0, ...conversations.flatMap(({ rows }) => rows.map(({ repeat }) => repeat + 1)))
  if (repeats < 2) return ["Each task was done once: repeats tell its users and the noise from the tasks."]
  const areDrawsRepeated = conversations.some(
    (conversation) => repeats > (conversation.variant.episode?.user?.draws ?? repeats),
  )
  if (areDrawsRepeated) return []
  return [
    `Each repeat met a user of its own: draws in simulatedUser(…) below the ${repeats} repeats tell the users from the noise.`,
  ]
}

/** That the variants met different users, where they did. */
export function otherUsersSentence(conversations: readonly SimulatedConversations[]): string[] {
  const users = new Set(conversations.map(({ variant }) => JSON.stringify(variant.episode?.user?.identity)))
  return users.size < 2 ? [] : ["The variants met different simulated users: their differences are the users', too."]
}

/** What more repeats would do for the difference, and where they would do little. */
export function planSentence(what: string, components: VarianceComponents | null): string[] {
  if (!components?.task || !components.within) return []
  const { tasks, scores, task, within } = components
  const repeats = Math.max(1, Math.round(scores / tasks))
  const error = (times: number): number => errorWithRepeats(components, tasks, times) ?? 0
  if (error(repeats) === 0) return []
  if (task.value === 0)
    return [`${what}: tasks differ in nothing that shows, so that repeats narrow the interval as new tasks do.`]
  // From here on the tasks' part alone makes up nine tenths of the error.
  const enough = Math.max(1, Math.ceil(within.value / (task.value * (1 / 0.81 - 1))))
  const doubled = `${2 * repeats} repeats of each task in place of ${repeats} would bring its standard error from ${amount(error(repeats))} to ${amount(error(2 * repeats))}`
  return [
    repeats >= enough
      ? `${what}: ${doubled}; the tasks are what is short: ask more of them.`
      : `${what}: ${doubled}. From about ${enough} repeats on only more tasks help; no number of repeats brings it under ${amount(Math.sqrt(task.value / tasks))}.`,
  ]
}

/** What the variance of conversations with simulated users comes from. */
export const usersWords = {
  title: (metric: string) => `Simulated users: what ${metric} varies with`,
  variance: (metric: string, level: string) =>
    `The variance of ${metric} of one episode: between tasks, between the users of one task, and what is left with one user, the variant's own noise. Nested analysis of variance; ${level} intervals by the jackknife over tasks.`,
  inDifference:
    "In a difference, what a task or a user does to both variants alike is gone: it has what they take differently.",
} as const
