import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ReportSection, TableData } from "../../core/report/report-sections.ts"
import { toJson } from "../../core/report/to-json.ts"
import { alignRows } from "../../rows/align.ts"
import {
  type NestedScore,
  type VarianceComponent,
  type VarianceComponents,
  varianceComponents,
} from "../../stats/variance-components.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import {
  columns,
  otherUsersSentence,
  planSentence,
  type SimulatedConversations,
  unrepeatedUsersSentence,
  usersWords,
} from "../../wording/sections/users.ts"
import { levelText, roundPercent } from "../../words/percent.ts"

/**
 * How much of the variance of the scores is that of the tasks, of the simulated users and of the variant's own noise; and of the difference
 * between candidate and baseline, from which repeats are planned. Nothing without simulated users.
 */
export function usersSection(
  variants: readonly SimulatedConversations[],
  { name }: Pick<AnyMetric, "name">,
  alpha: number,
): ReportSection | null {
  const conversations = variants.filter(({ variant }) => variant.episode?.user)
  if (conversations.length === 0) return null
  const parts = conversations.map((conversation) => ({
    what: conversation.variant.name,
    components: partsOf(conversation.rows, conversation, alpha),
  }))
  const baseline = conversations.find(({ isBaseline }) => isBaseline)
  const differences = !baseline
    ? []
    : conversations
        .filter((conversation) => conversation !== baseline)
        .map((conversation) => ({
          what: `${conversation.variant.name} − ${baseline.variant.name}`,
          components: differenceOf(baseline, conversation, alpha),
        }))
  return {
    kind: "table",
    topic: "users",
    title: usersWords.title(name),
    sentences: [
      usersWords.variance(name, levelText(alpha)),
      ...(differences.length > 0 ? [usersWords.inDifference] : []),
      ...unrepeatedUsersSentence(conversations),
      ...otherUsersSentence(conversations),
      ...differences.flatMap(({ what, components }) => planSentence(what, components)),
    ],
    data: toJson({ columns, rows: [...parts, ...differences].map(({ what, components }) => rowOf(what, components)) }),
  }
}

function rowOf(what: string, components: VarianceComponents | null): TableData["rows"][number] {
  if (!components) return [what, 0, 0, ...Array.from({ length: 4 }, () => unknown(noFigure.noEpisodeScore)), "unknown"]
  const { task, user, noise, within, tasks, scores } = components
  const reason = noFigure.usersNotMetTwice
  const alone = noFigure.tasksOnce
  const figure = (part: VarianceComponent | null, reason: string): Figure =>
    part ? { status: "known", ...part, n: tasks, method: methods.nestedVariance } : unknown(reason)
  const total = task && user && noise ? task.value + user.value + noise.value : 0
  const share = user && total > 0 ? roundPercent(user.value / total) : "unknown"
  return [
    what,
    tasks,
    scores,
    figure(task, alone),
    figure(user, within ? reason : alone),
    figure(noise, within ? reason : alone),
    figure(within, alone),
    share,
  ]
}

/** Which user each repeat met. */
function drawOf({ variant }: SimulatedConversations, repeat: number): number {
  const draws = variant.episode?.user?.draws ?? null
  return draws === null ? repeat : repeat % draws
}

function partsOf(rows: readonly MetricRow[], of: SimulatedConversations, alpha: number): VarianceComponents | null {
  const scores = rows.flatMap(({ sampleId, repeat, value, cluster }): NestedScore[] =>
    value === null
      ? []
      : [{ task: sampleId, draw: drawOf(of, repeat), score: value, ...(cluster !== undefined && { cluster }) }],
  )
  return scores.length === 0 ? null : varianceComponents(scores, alpha)
}

function differenceOf(
  baseline: SimulatedConversations,
  candidate: SimulatedConversations,
  alpha: number,
): VarianceComponents | null {
  const rows = alignRows(baseline.rows, candidate.rows).pairs.flatMap((pair): MetricRow[] => {
    const [before, after] = [pair.baseline.value, pair.candidate.value]
    return before === null || after === null ? [] : [{ ...pair.candidate, value: after - before }]
  })
  return partsOf(rows, candidate, alpha)
}
