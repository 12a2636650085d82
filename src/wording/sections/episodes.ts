import { toolOutcomes } from "../../core/episode/tool-outcome.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { VariantReport } from "../../core/report/report.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"
import type { EpisodeFigures } from "../../perf/episode/episode-tally.ts"
import type { NonVariantCost } from "../../run/episode/non-variant-cost.ts"
import { listed, spacedName } from "../../words/names.ts"
import { amount, count, counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { elapsed } from "../../words/quantity.ts"

/** A variant with its episodes. */
export interface EpisodesOfVariant {
  readonly report: Pick<VariantReport, "name" | "quality" | "cost">
  readonly scored: Pick<ScoredVariant, "rows">
  /** Null where it had none. */
  readonly episodes: EpisodeFigures | null
}

/** What calls within episodes took that are not the variants'; null where there were none. */
export interface NonVariantCosts {
  readonly users: NonVariantCost | null
  readonly summaries: NonVariantCost | null
}

const noBills: NonVariantCosts = { users: null, summaries: null }

/**
 * What conversations and agents took and cost: time of the model against time of the tools, steps, tokens, dollars per solved task; and each
 * turn of conversations. Nothing for a run without episodes.
 *
 * @param bills what simulated users and summaries took; null where there were none
 * @param solved metric that says whether an episode is solved; null where the first one is no share
 */
export function episodeSections(
  variants: readonly EpisodesOfVariant[],
  solved: string | null,
  { users, summaries }: NonVariantCosts = noBills,
): readonly ReportSection[] {
  const entries = variants.flatMap(({ report, episodes }) => (episodes ? [{ report, episodes }] : []))
  if (entries.length === 0) return []
  const turns = turnsSection(entries)
  return [
    {
      kind: "table",
      topic: "episodes",
      title: "Episodes: conversations and agents",
      sentences: [
        ...entries.flatMap((entry) => tookSentence(entry, solved)),
        "An episode is one answer of several steps. Its time is that of the model and of the tools; what the client waited between steps is left out. Episodes at the step limit count, and those that met a cold model, which every latency leaves out; those that failed do not.",
        ...(solved === null || spacedName(solved) === "solved" ? [] : [`Solved is what ${spacedName(solved)} says.`]),
        ...userSentence(users),
        ...summarySentence(summaries),
        ...entries.flatMap(({ report, episodes }) => callsSentence(report.name, episodes)),
        ...entries.flatMap(({ report, episodes }) => endSentence(report.name, episodes)),
        ...entries.flatMap(({ report, episodes }) => restartSentence(report.name, episodes)),
      ],
      data: toJson(tableData(entries, columns(solved))),
    },
    ...(turns ? [turns] : []),
  ]
}

/** What the episodes of a variant came to: solved, how long, for how much. */
function tookSentence({ report, episodes }: Known, solved: string | null): readonly string[] {
  const share = figureValue(report.quality.find(({ metric }) => metric === solved)?.figure)
  const [time, steps, usd] = [episodes.p50Ms, episodes.answers, report.cost.perCorrectUsd].map(figureValue)
  const parts = [
    ...(share == null ? [] : [`solved ${percent(share)}`]),
    ...(time == null ? [] : [`took ${elapsed(time)} (median)`]),
    ...(steps == null
      ? []
      : [`needed ${amount(steps)} ${amount(steps) === "1" ? "answer" : "answers"} of the model on average`]),
    ...(usd == null || usd === 0 || share == null ? [] : [`cost $${amount(usd)} per solved task`]),
  ]
  return parts.length === 0 ? [] : [`${report.name}: ${counted(episodes.episodes, "episode")} ${listed(parts)}.`]
}

type Known = Pick<EpisodesOfVariant, "report"> & { readonly episodes: EpisodeFigures }

function columns(solved: string | null): readonly TableColumn<Known>[] {
  return [
    ["variant", ({ report }) => report.name],
    ["episodes", ({ episodes }) => episodes.episodes],
    ...(solved === null ? [] : solvedColumns(solved)),
    ["time, median", ({ episodes }) => episodes.p50Ms, "ms"],
    ["time, p95", ({ episodes }) => episodes.p95Ms, "ms"],
    ["of the model, mean", ({ episodes }) => episodes.modelMs, "ms"],
    ["of the tools, mean", ({ episodes }) => episodes.toolMs, "ms"],
    ["answers, mean", ({ episodes }) => episodes.answers],
    ["calls of tools, mean", ({ episodes }) => episodes.callsMade],
    ["prompt tokens together, mean", ({ episodes }) => episodes.promptTokens],
    ["of them cached, mean", ({ episodes }) => episodes.cachedTokens],
    ["last prompt over first, mean", ({ episodes }) => episodes.growth],
  ]
}

function solvedColumns(solved: string): TableColumn<Known>[] {
  return [
    ["solved", ({ report }) => report.quality.find(({ metric }) => metric === solved)?.figure ?? null, "share"],
    ["per solved task", ({ report }) => report.cost.perCorrectUsd, "usd"],
  ]
}

function costText({ usd }: NonVariantCost): string {
  return usd === null ? "at a price that is unknown" : `for ${usd === 0 ? "nothing" : `$${amount(usd)}`}`
}

function summarySentence(summaries: NonVariantCost | null): string[] {
  if (!summaries) return []
  const { replies, requests } = summaries
  return [
    `Turns that were no longer shown were summed up ${counted(replies, "time")} in ${counted(requests, "request")}, ${costText(summaries)}: apart from the cost and the time of the variants, which are higher where you would pay and wait for it.`,
  ]
}

function userSentence(users: NonVariantCost | null): string[] {
  if (!users) return []
  const { replies, requests } = users
  return [
    `Simulated users gave ${replies === 1 ? "1 reply" : `${count(replies)} replies`} in ${counted(requests, "request")}, ${costText(users)}: apart from the cost and the time of the variants. Each variant met the same users: the same model, persona and seeds.`,
  ]
}

function callsSentence(name: string, { calls }: EpisodeFigures): string[] {
  const counts = toolOutcomes.flatMap((outcome) => (calls[outcome] ? [`${count(calls[outcome])} ${outcome}`] : []))
  return counts.length === 0 ? [] : [`Calls of tools by ${name}: ${counts.join(", ")}.`]
}

function endSentence(name: string, { outcomes, episodes }: EpisodeFigures): string[] {
  const ends = [
    [outcomes.step_limit, "ended at the step limit"],
    [outcomes.turn_limit, "ended at the turn limit of the simulated user"],
    [
      outcomes.user_failed,
      "have no end, because the model of the simulated user failed: they say nothing of the variant",
    ],
  ] as const
  return ends.flatMap(([ended = 0, what]) =>
    ended === 0 ? [] : [`${count(ended)} of ${count(episodes)} episodes of ${name} ${what}.`],
  )
}

function restartSentence(name: string, { restarted }: EpisodeFigures): string[] {
  if (restarted === 0) return []
  return [
    `${count(restarted)} ${restarted === 1 ? "episode" : "episodes"} of ${name} began anew after an interruption, because the state of the tools was lost; what was paid before counts to the cost, and its time does not count.`,
  ]
}

/** How much later the first word of the last turn comes than that of the first. */
function laterSentence(name: string, turns: EpisodeFigures["turns"]): readonly string[] {
  const [first, last] = [turns.at(0), turns.at(-1)]
  const [soon, late] = [figureValue(first?.ttftMs), figureValue(last?.ttftMs)]
  if (turns.length < 2 || soon == null || late == null) return []
  return [
    `${name}: the first word of turn 1 came after ${elapsed(soon)}, that of turn ${turns.length} after ${elapsed(late)} (medians).`,
  ]
}

/** Times and tokens turn by turn; null where nothing has several turns. */
function turnsSection(entries: readonly Known[]): ReportSection | null {
  const rows = entries.flatMap(({ report, episodes }) =>
    episodes.turns.map((turn, index) => ({ ...turn, name: report.name, place: index + 1 })),
  )
  if (rows.length === 0) return null
  return {
    kind: "table",
    topic: "turns",
    title: "Turns of the conversations",
    sentences: [
      ...entries.flatMap(({ report, episodes }) => laterSentence(report.name, episodes.turns)),
      "Where a turn is answered with all that was said before it, prompts grow, and reading them takes longer.",
    ],
    data: toJson(
      tableData(rows, [
        ["variant", ({ name }) => name],
        ["turn", ({ place: number }) => number],
        ["answered", ({ answers }) => answers],
        ["first token, median", ({ ttftMs }) => ttftMs, "ms"],
        ["whole turn, median", ({ e2eMs }) => e2eMs, "ms"],
        ["prompt tokens, mean", ({ promptTokens }) => promptTokens],
      ]),
    ),
  }
}
