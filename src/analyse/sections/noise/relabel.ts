import type { MetricRow } from "../../../core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../../core/metric/scored-variant.ts"
import type { Random } from "../../../core/random.ts"
import { answerKey } from "../../../core/run/answer-key.ts"
import { answerPairs } from "../../../rows/answer-pairs.ts"
import { unitKey } from "../../../rows/entries.ts"
import { turnBlocks } from "../../compare/turns.ts"

/** Draws two variants anew from the answers of both. */
export type Relabel = (random: Random) => readonly [ScoredVariant, ScoredVariant]

/**
 * Two sets of answers of one variant, whose names are drawn anew: the scores of a sample (or cluster, with all repeats) change sides
 * together, and so do the times and costs of a turn on the machine, which have its drift in common; by sample where turns are not
 * known. Only samples that both answered are in it.
 */
export function relabelling(first: ScoredVariant, second: ScoredVariant): Relabel {
  const pairs = answerPairs(first, second).map((pair) => pair)
  const blocks = turnBlocks(pairs)
  const groups = pairs.map(([answer], i) => (blocks ? String(blocks.of[i]) : unitKey(answer)))
  const units = new Map(pairs.map(([answer]) => [answerKey(answer), unitKey(answer)]))
  const rows = Array.from(first.rows, ([metric, own]) => {
    const others = new Map((second.rows.get(metric) ?? []).map((row) => [answerKey(row), row]))
    const both = own.flatMap((row) => {
      const [unit, other] = [units.get(answerKey(row)), others.get(answerKey(row))]
      return unit === undefined || !other ? [] : [{ unit, rows: [row, other] as const }]
    })
    return { metric, both }
  })
  return (random) => {
    const [ofTimes, ofScores] = [coins(random), coins(random)]
    const sides = ([0, 1] as const).map((side): ScoredVariant => {
      const answers = pairs.map((pair, i): AnswerFacts => pair[side ^ ofTimes(groups[i] as string)] as AnswerFacts)
      const scores = rows.map(({ metric, both }): [string, readonly MetricRow[]] => [
        metric,
        both.map(({ unit, rows: pair }) => pair[side ^ ofScores(unit)] as MetricRow),
      ])
      return { name: side === 0 ? first.name : second.name, answers, rows: new Map(scores) }
    })
    return sides as [ScoredVariant, ScoredVariant]
  }
}

/** One coin for each group, thrown when it is first met. */
function coins(random: Random): (group: string) => 0 | 1 {
  const thrown = new Map<string, 0 | 1>()
  return (group) => {
    const side = thrown.get(group) ?? (random.next() < 0.5 ? 0 : 1)
    thrown.set(group, side)
    return side
  }
}
