import { modelSteps, toolSteps } from "../../core/episode/episode.ts"
import type { ToolOutcome } from "../../core/episode/tool-outcome.ts"
import type { Generation } from "../../core/generation.ts"
import { isFailure, type Outcome } from "../../core/outcome.ts"
import type { Figure } from "../../core/report/figure.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { createNumberList } from "../../stats/number-list.ts"
import { contextReasons, episodeReasons } from "../../words/perf/speed.ts"
import { seriesDistribution } from "../distribution.ts"
import { requestFigures } from "../request-figures.ts"
import { episodeTimes, timedRounds } from "./step-times.ts"

/** The episodes of one variant in figures. Times in milliseconds; waits of the client are in none. */
export interface EpisodeFigures {
  readonly episodes: number
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  /** Calls of tools by how they ended. */
  readonly calls: Readonly<Partial<Record<ToolOutcome, number>>>
  /** Episodes that began anew, because the state of their tools was lost with a process. */
  readonly restarted: number
  /** Of episodes that came to their end, those at the step limit among them. */
  readonly p50Ms: Figure
  readonly p95Ms: Figure
  readonly modelMs: Figure
  readonly toolMs: Figure
  /** Answers of the model, and calls of tools, per episode. */
  readonly answers: Figure
  readonly callsMade: Figure
  /** Prompt tokens of all answers of an episode together. */
  readonly promptTokens: Figure
  /** Of those, read from the service's cache. */
  readonly cachedTokens: Figure
  /** Prompt tokens of the last answer over those of the first. */
  readonly growth: Figure
  /** Episodes by how many answers they took, in order; those without a verdict are left out. `to` is null where there is no end. */
  readonly bySteps: readonly {
    readonly from: number
    readonly to: number | null
    readonly episodes: number
    readonly solved: Figure
  }[]
  /** By turn, where conversations have several. */
  readonly turns: readonly {
    readonly answers: number
    readonly ttftMs: Figure
    readonly e2eMs: Figure
    readonly promptTokens: Figure
  }[]
}

/** Collects {@link EpisodeFigures}; it keeps numbers, never texts. */
export interface EpisodeTally {
  /** @param correct how right its end is, 0..1; null where that is not known */
  add(generation: Generation, correct?: number | null): void
  /** Null where there was no episode. */
  figures(): EpisodeFigures | null
}

/** Turns that are told apart, at most. */
const maxTurns = 50

/** Where the classes of numbers of answers begin. */
const stepClasses = [1, 2, 3, 4, 5, 9, 17] as const

/** An empty {@link EpisodeTally}; `alpha` is 1 − the level of its intervals. */
export function createEpisodeTally(alpha = 0.05): EpisodeTally {
  const lists = {
    total: createNumberList(),
    model: createNumberList(),
    tool: createNumberList(),
    answers: createNumberList(),
    calls: createNumberList(),
    prompt: createNumberList(),
    cached: createNumberList(),
    growth: createNumberList(),
  }
  const outcomes = new Map<Outcome, number>()
  const ends = new Map<ToolOutcome, number>()
  const turns: { answers: number; ttft: typeof lists.total; e2e: typeof lists.total; prompt: typeof lists.total }[] = []
  const bySteps = new Map<number, { readonly values: number[]; readonly keys: string[] }>()
  let episodes = 0
  let restarted = 0

  function addTurns({ steps }: NonNullable<Generation["episode"]>, isTimed: boolean): void {
    const byTurn = new Map<number, ReturnType<typeof timedRounds>>()
    for (const round of timedRounds(steps)) byTurn.set(round.turn, [...(byTurn.get(round.turn) ?? []), round])
    for (const [turn, rounds] of byTurn) {
      if (turn >= maxTurns) continue
      while (turns.length <= turn)
        turns.push({ answers: 0, ttft: createNumberList(), e2e: createNumberList(), prompt: createNumberList() })
      const tally = turns[turn]
      const said = rounds.flatMap((round) => (round.kind === "model" ? [round.step] : []))
      const [first, last] = [said[0], said.at(-1)]
      if (!tally || !first || !last || isFailure(last.outcome)) continue
      tally.answers++
      const { ttftMs } = requestFigures(first.log, null)
      if (isTimed && ttftMs !== null) tally.ttft.push(ttftMs)
      if (isTimed) tally.e2e.push((rounds.at(-1)?.endMs ?? 0) - (rounds[0]?.startMs ?? 0))
      if (last.usage.promptTokens !== null) tally.prompt.push(last.usage.promptTokens)
    }
  }

  return {
    add(generation, correct = null) {
      const { episode, outcome, source } = generation
      if (!episode) return
      episodes++
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (episode.steps.some(({ kind }) => kind === "restart")) restarted++
      const answers = modelSteps(episode.steps).filter((step) => !isFailure(step.outcome))
      const calls = toolSteps(episode.steps)
      for (const { outcome: end } of calls) if (end !== "begun") ends.set(end, (ends.get(end) ?? 0) + 1)
      lists.answers.push(answers.length)
      if (correct !== null && !isFailure(outcome)) {
        const index = stepClasses.findLastIndex((from) => from <= Math.max(1, answers.length))
        const existing = bySteps.get(index) ?? { values: [], keys: [] }
        bySteps.set(index, existing)
        existing.values.push(correct)
        existing.keys.push(generation.sampleId)
      }
      lists.calls.push(calls.length)
      const isTimed = source === "measured" && !isFailure(outcome) && !generation.log.stalledMs
      if (isTimed) {
        const { totalMs, modelMs, toolMs } = episodeTimes(episode.steps)
        lists.total.push(totalMs)
        lists.model.push(modelMs)
        lists.tool.push(toolMs)
      }
      const prompts = answers.map(({ usage }) => usage.promptTokens)
      const cached = answers.map(({ usage }) => usage.cachedPromptTokens)
      pushSum(lists.prompt, prompts)
      pushSum(lists.cached, cached)
      const [first, last] = [prompts[0], prompts.at(-1)]
      if (first && last && prompts.length > 1) lists.growth.push(last / first)
      if (episode.turns > 1) addTurns(episode, isTimed)
    },
    figures() {
      if (episodes === 0) return null
      const spread = (list: typeof lists.total, none: string) => seriesDistribution(list.values(), none, alpha)
      const noTime = episodeReasons.noneMeasured
      const { noTokens } = contextReasons
      const total = spread(lists.total, noTime)
      return {
        episodes,
        outcomes: Object.fromEntries(outcomes),
        calls: Object.fromEntries(ends),
        restarted,
        p50Ms: total.p50,
        p95Ms: total.p95,
        modelMs: spread(lists.model, noTime).mean,
        toolMs: spread(lists.tool, noTime).mean,
        answers: spread(lists.answers, noTime).mean,
        callsMade: spread(lists.calls, noTime).mean,
        promptTokens: spread(lists.prompt, noTokens).mean,
        cachedTokens: spread(lists.cached, episodeReasons.noCacheCount).mean,
        growth: spread(lists.growth, episodeReasons.noGrowth).mean,
        bySteps: [...bySteps]
          .sort(([a], [b]) => a - b)
          .map(([index, { values, keys }]) => {
            const next = stepClasses[index + 1]
            return {
              from: stepClasses[index] ?? 1,
              to: next === undefined ? null : next - 1,
              episodes: values.length,
              solved: meanFigure(values, keys, [0, 1], alpha),
            }
          }),
        turns: turns.map(({ answers, ttft, e2e, prompt }) => ({
          answers,
          ttftMs: spread(ttft, noTime).p50,
          e2eMs: spread(e2e, noTime).p50,
          promptTokens: spread(prompt, noTokens).mean,
        })),
      }
    },
  }
}

function pushSum(list: { push(value: number): void }, values: readonly (number | null)[]): void {
  if (values.length === 0 || values.some((value) => value === null)) return
  list.push(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
}
