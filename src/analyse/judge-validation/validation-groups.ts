import { type Figure, unknown } from "../../core/report/figure.ts"
import { pearson, spearman } from "../../stats/agreement/correlation.ts"
import { kendall } from "../../stats/agreement/kendall.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { mean } from "../../stats/mean.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { shareFigure, statisticFigure } from "./figures.ts"
import type { ValidationItem } from "./validation.ts"

/** Three correlations of judge and people. @experimental */
export interface Correlations<Value> {
  readonly pearson: Value
  readonly spearman: Value
  /** Tau-b. */
  readonly kendall: Value
}

/** Judge and people within one document or system. @experimental */
export interface ValidationGroup extends Correlations<number | null> {
  readonly group: string
  /** Labelled rows. */
  readonly n: number
  readonly agreement: Figure
}

/** Judge and people by document or system. @experimental */
export interface ValidationGroups {
  /** In the order of their names; correlations are null where one side does not vary. */
  readonly list: readonly ValidationGroup[]
  /** Mean of the correlations within the groups in which both sides vary ("summary level" for documents). */
  readonly within: Correlations<Figure>
  /** Correlation of the groups' means ("system level" for systems). */
  readonly between: Correlations<Figure>
}

interface Pair {
  readonly judge: number
  readonly human: number
}

const statistics: Correlations<(pairs: readonly Pair[]) => number> = {
  pearson: (pairs) => pearson(...sidesOf(pairs)).statistic,
  spearman: (pairs) => spearman(...sidesOf(pairs)).statistic,
  kendall: (pairs) => kendall(...sidesOf(pairs), { mode: "normal" }).statistic,
}

/** Agreement and correlations by group; null when no row names its group. */
export function validationGroups(
  items: readonly ValidationItem[],
  seed: number,
  alpha: number,
): ValidationGroups | null {
  const groups = new Map<string, ValidationItem[]>()
  for (const item of items) {
    if (item.group === undefined) continue
    const existing = groups.get(item.group)
    if (existing) existing.push(item)
    else groups.set(item.group, [item])
  }
  if (groups.size === 0) return null
  const entries = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, members]) => ({ pairs: pairsOf(members), result: groupOf(group, members, alpha) }))
  const means = entries.flatMap(({ pairs }) => {
    const [judge, human] = sidesOf(pairs)
    return pairs.length === 0 ? [] : [{ judge: mean(judge), human: mean(human) }]
  })
  return {
    list: entries.map(({ result }) => result),
    within: each((name) =>
      withinFigure(
        entries.map(({ result }) => result[name]),
        alpha,
      ),
    ),
    between: each((name) =>
      means.length < 3
        ? unknown(noJudgeFigure.fewGroups)
        : statisticFigure(means, statistics[name], {
            seed: `${seed}/validate/between/${name}`,
            name: judgeMethods.groupMeans(name),
            undefinedWhen: noJudgeFigure.equalMeans,
            alpha,
          }),
    ),
  }
}

function groupOf(group: string, items: readonly ValidationItem[], alpha: number): ValidationGroup {
  const pairs = pairsOf(items)
  const missed = items.filter((item) => item.missed && item.judge === null && item.human !== null).length
  const agreed = pairs.filter(({ judge, human }) => judge === human).length
  const n = pairs.length + missed
  const correlations = each((name) => {
    const value = pairs.length < 2 ? Number.NaN : statistics[name](pairs)
    return Number.isFinite(value) ? value : null
  })
  return {
    group,
    n,
    agreement: shareFigure(agreed, n, noJudgeFigure.noPair, alpha),
    ...correlations,
  }
}

function withinFigure(correlations: readonly (number | null)[], alpha: number): Figure {
  const values = correlations.filter((value) => value !== null)
  if (values.length === 0) return unknown(noJudgeFigure.noVaryingGroup)
  const keys = values.map((_, i) => String(i))
  const figure = meanFigure(values, keys, [-1, 1], alpha)
  return { ...figure, method: `mean over groups, ${figure.method}` }
}

function each<Value>(of: (name: keyof Correlations<Value>) => Value): Correlations<Value> {
  return { pearson: of("pearson"), spearman: of("spearman"), kendall: of("kendall") }
}

function pairsOf(items: readonly ValidationItem[]): readonly Pair[] {
  return items.flatMap(({ judge, human }) => (judge === null || human === null ? [] : [{ judge, human }]))
}

function sidesOf(pairs: readonly Pair[]): [number[], number[]] {
  return [pairs.map(({ judge }) => judge), pairs.map(({ human }) => human)]
}
