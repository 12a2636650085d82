import type { Tool } from "../../core/episode/design.ts"
import type { EpisodeStep, ToolStep } from "../../core/episode/step.ts"
import { canonicalJson, type JsonValue } from "../../core/json.ts"

/** Ends of calls that are not to be made a second time. */
export interface CalledBefore {
  /** The end of an equal call that was given up with its episode; each is given once. Null where there is none left. */
  take(name: string, given: JsonValue): ToolStep | null
}

/** What tools with effects outside did in the parts of an episode that a restart gave up. */
export function calledBefore(steps: readonly EpisodeStep[], tools: ReadonlyMap<string, Tool>): CalledBefore {
  const until = steps.findLastIndex(({ kind }) => kind === "restart")
  const known = new Map<string, ToolStep[]>()
  for (const step of steps.slice(0, Math.max(0, until))) {
    // A repeated end is the same call as the one that it repeats.
    if (step.kind !== "tool" || step.isRepeated || tools.get(step.name)?.effects !== "outside") continue
    const key = keyOf(step.name, step.arguments)
    known.set(key, [...(known.get(key) ?? []), step])
  }
  const used = new Map<string, number>()
  return {
    take(name, given) {
      const key = keyOf(name, given)
      const next = used.get(key) ?? 0
      used.set(key, next + 1)
      return known.get(key)?.[next] ?? null
    },
  }
}

const keyOf = (name: string, given: JsonValue): string => `${name} ${canonicalJson(given)}`
