import { turnAnswers, turnTexts } from "../../src/core/episode/episode.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import { type AnyMetric, type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { mean } from "../../src/stats/mean.ts"
import { partsOf } from "../parts-of.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link perTurn}. @public */
export interface PerTurnOptions {
  /** Default: the metric's own name with `.turns`, or `.turn2`. */
  readonly name?: string
  /** Only this turn, from 1. Default: the mean of all turns. */
  readonly turn?: number
}

/** The turns of one conversation. @public */
export interface TurnsRow {
  /** The metric's value of each turn, in order; null where the turn has none. */
  readonly turns: readonly (number | null)[]
  /** Mean of those that have one. */
  readonly value: number
}

/**
 * A metric turn by turn: each answer of a conversation is measured as one to its own turn, with that turn's references and the conversation
 * up to there as its input. The value of a conversation is the mean of its turns, so that conversations weigh alike however long they are;
 * the details have the mean of each turn.
 *
 * A turn that was planned and has no answer, because the conversation ended before it, counts as the worst value of the metric's range,
 * and makes the conversation unscored where the range has no end. Range, direction and unit are the metric's. Unscored: `no_episode`, and
 * what the metric says where no turn has a value.
 *
 * Misleads where one turn matters more than the others: the mean hides it. Source: the metric's.
 *
 * @example
 * perTurn(exactMatch()) // exactMatch.turns; perTurn(exactMatch(), { turn: 2 }) // exactMatch.turn2
 * @public
 */
export function perTurn(metric: AnyMetric, options: PerTurnOptions = {}): Metric<TurnsRow> {
  checkOptions("perTurn", options)
  const { turn } = options
  const { name = `${metric.name}.${turn === undefined ? "turns" : `turn${turn}`}` } = options
  const worst = metric.direction === "higher" ? metric.range[0] : metric.range[1]
  const { direction, range, unit, note } = metric
  return rowMetric<TurnsRow>({
    name,
    signature: `${signature("perTurn", { turn: turn ?? "all" })}|${metric.signature}`,
    direction,
    range,
    ...(unit !== undefined && { unit }),
    ...(note !== undefined && { note }),
    ...partsOf([metric]),
    ...(turn === undefined && { asksPer: "turn" }),
    async measure(sample, generation, tools) {
      if (!generation.episode) return unscored("no_episode", "the answer is no conversation and no loop over tools")
      const planned = Math.max(1, generation.episode.turns)
      const indices = turn === undefined ? Array.from({ length: planned }, (_, i) => i) : [turn - 1]
      if (indices.some((index) => index >= planned || index < 0))
        return unscored("no_episode", `the conversation has ${planned} turns, and no turn ${turn}`)
      const turns: (number | null)[] = []
      let why = unscored("no_value", "no turn has a value")
      for (const index of indices) {
        const turnParts = turnOf(sample, generation, index)
        if (!turnParts) {
          if (!Number.isFinite(worst)) return unscored("failed", `turn ${index + 1} has no answer`)
          turns.push(worst)
          continue
        }
        const measured = await metric.measure(turnParts.sample, turnParts.generation, tools)
        if (measured.status === "unscored") why = measured
        turns.push(measured.status === "scored" ? metric.value(measured.row) : null)
      }
      const values = turns.filter((value) => value !== null)
      return values.length === 0 ? why : { turns, value: mean(values) }
    },
    value: (row) => row.value,
    details(rows) {
      const max = Math.max(...rows.map(({ turns }) => turns.length))
      return {
        turns: Array.from({ length: max }, (_, index) => {
          const values = rows.flatMap(({ turns }) => turns[index] ?? [])
          return { turn: turn ?? index + 1, n: values.length, mean: values.length === 0 ? null : mean(values) }
        }),
      }
    },
  })
}

/** A turn as a sample and its answer; null where it has none. */
function turnOf(sample: Sample, generation: Generation, index: number) {
  const answers = turnAnswers(generation.episode?.steps ?? [])
  const answer = answers[index]
  if (!answer) return null
  const { turns = [] } = sample
  const asked = turnTexts(generation.episode ?? { steps: [], turns: 0 }, sample)
  const input: ChatMessage[] = []
  for (let turn = 0; turn <= index; turn++) {
    if (turn === 0 && typeof sample.input === "object" && sample.input !== null) input.push(...sample.input)
    else input.push({ role: "user", content: asked[turn] ?? "" })
    if (turn < index) input.push({ role: "assistant", content: answers[turn]?.text ?? "" })
  }
  const { episode: _whole, ...rest } = generation
  const { turns: _turns, ...single } = sample
  return {
    sample: { ...single, input, references: turns[index]?.references ?? sample.references },
    generation: {
      ...rest,
      outcome: answer.outcome,
      text: answer.text,
      reasoning: answer.reasoning,
      toolCalls: answer.toolCalls,
      usage: answer.usage,
      log: answer.log,
    },
  }
}
