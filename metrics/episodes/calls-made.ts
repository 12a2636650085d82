import { toolSteps } from "../../src/core/episode/episode.ts"
import type { ToolStep } from "../../src/core/episode/step.ts"
import type { Generation } from "../../src/core/generation.ts"
import { type Unscored, unscored } from "../../src/core/metric/metric.ts"

/** The calls of an episode in the order in which they were asked for, or why there can be none. */
export function callsMade({ episode }: Pick<Generation, "episode">): readonly ToolStep[] | Unscored {
  if (!episode) return unscored("no_episode", "the answer is no conversation and no loop over tools")
  return toolSteps(episode.steps).toSorted((a, b) => a.asked - b.asked || a.place - b.place)
}
