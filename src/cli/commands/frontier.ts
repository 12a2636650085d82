import { readRows } from "../../../datasets/read-rows.ts"
import { computeFrontier } from "../../analyse/frontier/frontier.ts"
import { tableVariants } from "../../analyse/frontier/table-frontier.ts"
import { type UtilityShare, utilityShares } from "../../analyse/frontier/utility.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Frontier, FrontierAxis, LimitState } from "../../core/report/frontier.ts"
import { parseConstraints } from "../../estimate/constraints.ts"
import { amount, count } from "../../words/number.ts"
import { roundPercent } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { json, number, text, texts } from "../arguments/options.ts"
import { type Screen, screenTable } from "../arguments/screen-table.ts"
import type { Command } from "../command.ts"
import { listOption } from "../list-option.ts"

const defaultNames = ["name", "variant", "model", "id"]

/** `evalkit frontier FILE`: the Pareto set of any table. */
export const command: Command = {
  positionals: { file: text("JSONL, JSON, CSV, TSV or Parquet", { demandOption: true }) },
  options: {
    maximize: texts("columns where higher is better"),
    minimize: texts("columns where lower is better"),
    id: text(`column that names a row (default: ${defaultNames.join(", ")})`),
    sample: text("column with the sample's id: rows of one sample are resampled together"),
    constraint: texts('a limit such as "p95 TTFT < 800 ms"'),
    resamples: number("joint bootstrap resamples, with --sample", { default: 1000 }),
    alpha: number("1 − the level of intervals and ties, with --sample", { default: 0.05 }),
    seed: number("seed of the resampling", { default: 42 }),
    json: json("print the frontier as JSON"),
  },
  examples: {
    "$0 frontier board.csv --maximize quality --minimize cost,latency": "one row a variant",
    "$0 frontier rows.jsonl --maximize correct --minimize costUsd/correct --sample id": "dollars per solved task",
    "$0 frontier rows.jsonl --maximize correct --minimize e2eMs.p95 --sample id": "one row an answer",
  },

  async run(args, io) {
    const axes: FrontierAxis[] = [
      ...listOption(args.maximize).map((name) => ({ name, goal: "maximize" as const })),
      ...listOption(args.minimize).map((name) => ({ name, goal: "minimize" as const })),
    ]
    if (axes.length < 1)
      throw new UsageError("a frontier needs axes", { hint: "name columns with --maximize and --minimize" })
    const rows: JsonObject[] = []
    const source = readRows(String(args.file), { baseDirectory: io.cwd, inferTypes: true })
    for await (const { row } of source) rows.push(row)
    const constraints = (args.constraint as string[] | undefined) ?? []
    const { seed, alpha = 0.05 } = args as { readonly seed: number; readonly alpha?: number }
    if (!(alpha > 0 && alpha < 1))
      throw new UsageError("--alpha must be a number between 0 and 1", { where: "--alpha" })
    const variants = tableVariants(rows, {
      axes,
      id: args.id === undefined ? defaultName(rows) : String(args.id),
      figures: constraints.flatMap(parseConstraints).flatMap(({ figure, subject }) => [figure, subject]),
      ...(args.sample === undefined ? {} : { sample: String(args.sample) }),
    })
    const frontier = computeFrontier({ axes, variants, constraints, seed, alpha, resamples: args.resamples as number })
    const utility = utilityShares(axes, frontier.points)
    if (args.json) {
      const members = frontier.points.filter(({ onFrontier }) => onFrontier).map(({ variant }) => variant)
      io.out(`${JSON.stringify({ members, alpha, ...frontier, utility })}\n`)
    } else io.out(frontierText(frontier, utility, io))
    return ExitCode.ok
  },
}

function defaultName(rows: readonly JsonObject[]): string {
  const column = defaultNames.find((name) => rows[0] && Object.hasOwn(rows[0], name))
  if (column === undefined && rows.length > 0)
    throw new UsageError("no column names the rows", { hint: "name it with --id" })
  return column ?? "name"
}

const limitWords: Readonly<Record<LimitState, string>> = { kept: "kept", violated: "broken", open: "open" }

function frontierText(frontier: Frontier, utility: readonly UtilityShare[], screen: Screen): string {
  const { axes, points, excluded, knee, hypervolume, constraints, method } = frontier
  const members = points.filter(({ onFrontier }) => onFrontier)
  const wins = new Map(utility.map((share) => [share.variant, winsAt(share, axes)]))
  const sampled = points.some(({ membershipProbability }) => membershipProbability !== null)
  const header = ["variant", ...axes.map(({ name, goal }) => `${name} ${goal === "maximize" ? "↑" : "↓"}`)]
  if (sampled) header.push("on the frontier")
  header.push("wins at")
  if (constraints.length > 0) header.push("constraints")
  const table = members.map((point) => [
    plainText(point.variant, 60),
    ...point.values.map(amount),
    ...(point.membershipProbability === null ? [] : [roundPercent(point.membershipProbability)]),
    wins.get(point.variant) ?? "",
    ...(constraints.length > 0 ? [limitWords[point.limits ?? "open"]] : []),
  ])
  const lines = [
    `${count(members.length)} of ${count(points.length)} ${points.length === 1 ? "variant" : "variants"} ${members.length === 1 ? "is" : "are"} on the frontier: no other is better on one axis and as good on all.`,
    "",
    screenTable(header, table, screen).trimEnd(),
    "",
    ...(knee === null ? [] : [`  knee (greatest bend of the curve): ${plainText(knee, 60)}`]),
    ...(hypervolume === null ? [] : [`  hypervolume: ${amount(hypervolume)}`]),
    ...(excluded.length === 0 ? [] : [`  left out: ${count(excluded.length)} (${plainText(reasons(excluded), 200)})`]),
    `  ${method}`,
  ]
  return `${lines.join("\n")}\n`
}

function reasons(excluded: Frontier["excluded"]): string {
  return [...new Set(excluded.map(({ reason }) => reason))].join("; ")
}

/** How much of all weightings a variant is the best under, and with two axes between which weights of the first. */
function winsAt({ share, firstAxisWeight }: UtilityShare, axes: readonly FrontierAxis[]): string {
  const all = `${roundPercent(share)} of weights`
  if (!firstAxisWeight) return all
  const { from, to } = firstAxisWeight
  return `${all}: ${axes[0]?.name} ${roundPercent(from)}${from === to ? "" : ` to ${roundPercent(to)}`}`
}
