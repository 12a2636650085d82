import type { OpenSample, Tool, ToolReply } from "../../core/episode/design.ts"
import type { ToolStep } from "../../core/episode/step.ts"
import { episodeWords } from "../../words/run/episode.ts"
import type { EpisodeLog } from "./episode-log.ts"
import type { NextAction } from "./next-action.ts"

/** What the tools of one episode are called with. */
export interface ToolWorld {
  readonly tools: ReadonlyMap<string, Tool>
  readonly state: unknown
  readonly sample: OpenSample
  readonly signal: AbortSignal
  readonly seed: string
  /** Milliseconds on the clock of the episode's logs. */
  now(): number
}

/**
 * Makes the calls that one answer asked for, each on record when it ends. Side by side where none of them changes anything, else one
 * after the other in the order in which the model asked.
 */
export async function callTools(
  world: ToolWorld,
  log: EpisodeLog,
  { turn, asked, calls }: Extract<NextAction, { kind: "call" }>,
): Promise<void> {
  const run = async ({ place, call }: (typeof calls)[number]): Promise<void> => {
    const tool = world.tools.get(call.name)
    const begun: ToolStep = {
      kind: "tool",
      turn,
      asked,
      place,
      name: call.name,
      arguments: call.arguments,
      id: call.id ?? "",
      outcome: "begun",
      result: "",
      startMs: world.now(),
      endMs: world.now(),
    }
    if (tool?.effects !== "outside") {
      const reply = await replyOf(tool, begun, world)
      return log.add({ ...begun, ...reply, endMs: world.now() })
    }
    const open = log.begun(asked, place)
    if (open !== null) return log.replace(open, { ...begun, ...interrupted })
    const before = log.calledBefore.take(call.name, call.arguments)
    if (before) {
      const { outcome, result, resultLength } = before.outcome === "begun" ? { ...before, ...interrupted } : before
      return log.add({
        ...begun,
        outcome,
        result,
        ...(resultLength !== undefined && { resultLength }),
        isRepeated: true,
      })
    }
    // Its beginning is on record first: a call whose end is missing is not made again.
    const number = await log.begin(begun)
    const startMs = world.now()
    const reply = await replyOf(tool, begun, world)
    await log.replace(number, { ...begun, ...reply, startMs, endMs: world.now() })
  }
  if (calls.every(({ call }) => (world.tools.get(call.name)?.effects ?? "none") === "none"))
    await Promise.all(calls.map(run))
  else for (const call of calls) await run(call)
}

const interrupted = {
  outcome: "interrupted",
  result: JSON.stringify({ error: episodeWords.interrupted }),
} as const

async function replyOf(
  tool: Tool | undefined,
  { name, arguments: input, asked, place }: ToolStep,
  { tools, state, sample, signal, seed }: ToolWorld,
): Promise<ToolReply> {
  if (tool) return tool.call(input, { state, sample, signal, seed: `${seed}/${asked}/${place}` })
  const names = [...tools.keys()].join(", ")
  return {
    outcome: "unknown_tool",
    result: JSON.stringify({ error: episodeWords.noTool(JSON.stringify(name.slice(0, 100)), names) }),
  }
}
