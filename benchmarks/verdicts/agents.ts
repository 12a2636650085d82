import type { Random } from "../../src/core/random.ts"
import type { NestedScore } from "../../src/stats/variance-components.ts"
import type { Observed, World } from "./worlds.ts"

/** How much of an agent's success depends on what; all are half of the distance between an easy and a hard one. */
interface Ease {
  /** Groups of tasks: how hard they are for both agents, and how differently. */
  readonly cluster: number
  readonly clusterDifference: number
  /** The single task, in the same way. */
  readonly task: number
  readonly taskDifference: number
  /** The simulated user: the same for both agents, and how differently they take it. */
  readonly user: number
  readonly userDifference: number
}

/** A design: tasks of a group, and how often each is done, by how many users. */
interface AgentsDesign {
  readonly name: string
  readonly margin: number
  /** Tasks in a group; 1: no groups. */
  readonly block: number
  readonly repeats: number
  readonly draws: number
  readonly ease: Ease
}

const ease: Ease = {
  cluster: 0.05,
  clusterDifference: 0.05,
  task: 0.15,
  taskDifference: 0.05,
  user: 0.1,
  userDifference: 0.05,
}

const designs: readonly AgentsDesign[] = [
  { name: "two agents, each task once", margin: 0.1, block: 1, repeats: 1, draws: 1, ease },
  { name: "two agents, 4 users a task", margin: 0.1, block: 1, repeats: 4, draws: 4, ease },
  { name: "two agents, 2 users a task, each twice", margin: 0.1, block: 1, repeats: 4, draws: 2, ease },
  { name: "two agents, 4 users a task, groups of 5 tasks", margin: 0.1, block: 5, repeats: 4, draws: 4, ease },
  {
    name: "two agents, whimsical users, 4 a task",
    margin: 0.1,
    block: 1,
    repeats: 4,
    draws: 4,
    ease: { cluster: 0, clusterDifference: 0, task: 0.05, taskDifference: 0, user: 0.3, userDifference: 0.05 },
  },
]

/** Where both agents are on average. */
const level = 0.5

/**
 * Two agents that solve a task or not, with known chances: a mean, moved up or down alike often by the group of the task, the task and the
 * simulated user, for both agents and for one more than for the other. Both meet the same users. The true difference is exact: every
 * part is symmetrical, and no chance leaves 0 to 1.
 */
export const agentWorlds: readonly World[] = designs.map((design) => ({
  name: design.name,
  margin: design.margin,
  hasGains: true,
  ...(design.block > 1 && { block: design.block }),
  draw: (random, n, truth) => observed(drawAgents(design, random, n, truth), design.block),
}))

/** One score of each agent. */
interface Pair extends Pick<NestedScore, "task" | "draw"> {
  readonly group: number
  readonly baseline: number
  readonly candidate: number
}

function drawAgents(
  { block, repeats, draws, ease: parts }: AgentsDesign,
  random: Random,
  n: number,
  truth: number,
): readonly Pair[] {
  const side = (): number => (random.next() < 0.5 ? -1 : 1)
  const pairs: Pair[] = []
  let group = { both: 0, apart: 0 }
  for (let task = 0; task < n; task++) {
    if (task % block === 0) group = { both: parts.cluster * side(), apart: parts.clusterDifference * side() }
    const own = { both: group.both + parts.task * side(), apart: group.apart + parts.taskDifference * side() }
    const users = Array.from({ length: draws }, () => ({
      both: own.both + parts.user * side(),
      apart: own.apart + parts.userDifference * side(),
    }))
    for (let repeat = 0; repeat < repeats; repeat++) {
      const draw = repeat % draws
      const { both, apart } = users[draw] as { both: number; apart: number }
      const solves = (chance: number): number => Number(random.next() < chance)
      const baseline = solves(level + both - apart / 2)
      const candidate = solves(level + truth + both + apart / 2)
      pairs.push({ task: String(task), draw, group: Math.floor(task / block), baseline, candidate })
    }
  }
  return pairs
}

function observed(pairs: readonly Pair[], block: number): Observed {
  return {
    differences: pairs.map(({ baseline, candidate }) => candidate - baseline),
    failures: [],
    clusters: pairs.map(({ task, group }) => (block > 1 ? `group ${group}` : `task ${task}`)),
  }
}

/** Parts of the variance of the baseline's success, as they are: the noise is what chances leave. */
export interface KnownParts {
  readonly task: number
  readonly user: number
  readonly noise: number
}

/** The baseline's scores on n tasks, each with 2 users twice, and the parts of their variance. */
export function drawParts(
  random: Random,
  n: number,
): { readonly scores: readonly NestedScore[]; readonly parts: KnownParts } {
  const design = designs[2] as AgentsDesign
  const { ease: own } = design
  const task = own.cluster ** 2 + own.task ** 2 + (own.clusterDifference / 2) ** 2 + (own.taskDifference / 2) ** 2
  const user = own.user ** 2 + (own.userDifference / 2) ** 2
  return {
    scores: drawAgents(design, random, n, 0).map((pair) => ({
      task: pair.task,
      draw: pair.draw,
      score: pair.baseline,
    })),
    parts: { task, user, noise: level * (1 - level) - task - user },
  }
}
