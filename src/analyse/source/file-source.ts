import { basename } from "node:path"
import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"
import { type ForeignTool, sentenceOf } from "../../core/foreign/foreign-log.ts"
import type { MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { columnMetric } from "../../rows/column-metric.ts"
import {
  type ForeignOptions,
  type ForeignRow,
  type ForeignVariant,
  foreignVariant,
} from "../../rows/foreign-variant.ts"
import { gapOfMeasured } from "../../rows/missing-rows.ts"
import { noSharedId } from "../../wording/no-shared-id.ts"
import { sourceNotes } from "../../wording/source-notes.ts"
import type { CompareOptions } from "../compare/comparison-of.ts"
import type { ItemDifficulty } from "../compare/difficulty/item-difficulty.ts"
import type { MarginKind } from "../compare/margin.ts"
import { joinLogs } from "./join-logs.ts"
import { type LogVariant, logVariant, type VariantOfLog } from "./log-variant.ts"
import { type PairBy, refuseOtherContent } from "./pair-by-content.ts"
import { withQuestionClusters } from "./question-clusters.ts"

/** What `evalkit compare` compares, wherever it came from. */
export interface CompareSource
  extends Pick<
    CompareOptions,
    "baseline" | "candidate" | "metrics" | "missing" | "absentRows" | "smallestGain" | "breaks" | "alpha" | "design"
  > {
  /** Metrics that decide unless the command line names others. */
  readonly primary: readonly string[]
  /** Largest loss that counts as "not worse" unless the command line names another. */
  readonly margin: number
  readonly marginKind: MarginKind
  /** Other candidates of the run, what it reports of its variants, and its limits: what its own report decides by. */
  readonly rivals?: readonly ScoredVariant[]
  /** How hard earlier runs found the items, where they were named. */
  readonly difficulty?: ReadonlyMap<string, ItemDifficulty>
  readonly reports?: readonly VariantReport[]
  readonly constraints?: readonly string[]
  readonly seed: number
  /** Tools that wrote the files; absent for runs, null for plain rows. */
  readonly recognised?: readonly [ForeignTool | null, ForeignTool | null]
  /** What a reader should know about how the sides were read. */
  readonly notes: readonly string[]
  /** The run that both sides are variants of: its samples can be read. */
  readonly run?: string
}

/** A file that another tool wrote: plain rows, or a log whose format is known. */
export type ForeignFile = {
  /** Its path, as a person gave it. */
  readonly name: string
  /** What is meant in it: a variant of a log, the column of the outputs of rows; null where none is named. */
  readonly variant: string | null
} & ({ readonly rows: AsyncIterable<ForeignRow> } | VariantOfLog)

/**
 * Reads two files that other tools wrote and pairs them by their ids.
 *
 * @param options `lower` names the fields of which less is better
 * @throws UsageError for a file without rows, for files that share no column of numbers, and for ids whose questions differ
 */
export async function fileSource(
  files: readonly [ForeignFile, ForeignFile],
  options: ForeignOptions & { readonly lower: readonly string[]; readonly pairBy?: PairBy },
): Promise<CompareSource> {
  const names = files.map(({ name }) => name) as [string, string]
  const labels = basename(names[0]) === basename(names[1]) ? names : names.map((name) => basename(name))
  // One after the other: what is kept only while a side is read takes memory once.
  const baseline = await readSide(files[0], labels[0] as string, options)
  const sides = [baseline, await readSide(files[1], labels[1] as string, options)] as const
  for (const [side, { scored }] of sides.entries())
    if (scored.answers.length === 0)
      throw new UsageError("the file has no rows", { where: names[side] ?? "", hint: "check that it was written" })
  const { pair, on, joinedBy } = joinedSides(files, namedByModel(sides), options)
  const clustered = withQuestionClusters(pair)
  const [first, second] = clustered.sides
  const shared = [...first.columns.keys()].filter((field) => second.columns.has(field))
  if (shared.length === 0)
    throw new UsageError("the files share no column of numbers", { hint: "name one with --on FIELD" })
  for (const field of on) {
    const side = [first, second].findIndex(
      ({ columns, scored }) => !columns.get(field)?.known && !scored.rows.get(field)?.some(hasFailedRow),
    )
    if (side < 0) continue
    const { texts } = [first, second][side]?.columns.get(field) ?? {}
    throw new UsageError(`no row has a number or a boolean in "${field}"`, {
      where: texts ? `${texts.where} has ${JSON.stringify(texts.first.slice(0, 40))}` : (names[side] as string),
      hint: texts ? "write numbers with a point, and shares as 0.85" : otherField(field, [first, second][side] as Side),
    })
  }
  if (options.pairBy !== "id") refuseOtherContent(first.scored, second.scored)
  const metrics = shared.map((field) => {
    const rate = Boolean(first.columns.get(field)?.rate && second.columns.get(field)?.rate)
    const unit = Boolean(first.columns.get(field)?.unit && second.columns.get(field)?.unit)
    const said = first.columns.get(field)
    const range = said?.range && second.columns.get(field)?.range ? said.range : undefined
    const direction = options.lower.includes(field) ? "lower" : (said?.direction ?? "higher")
    const unitName = said?.countedIn
    return columnMetric(field, {
      rate,
      unit,
      direction,
      ...(range && { range }),
      ...(unitName !== undefined && { unitName }),
    })
  })
  return {
    baseline: first.scored,
    candidate: second.scored,
    metrics,
    primary: on.length > 0 ? on : shared.slice(0, 1),
    margin: 0.01,
    marginKind: "share",
    // A log holds all that was asked of it; a file of rows may lack an answer that failed.
    absentRows: files.every((file) => "log" in file) ? "not_asked" : "unmeasured",
    alpha: 0.05,
    seed: 42,
    ...(files.some((file) => "log" in file) && { recognised: [toolOf(files[0]), toolOf(files[1])] as const }),
    notes: [
      ...files.flatMap((file, side) => notesOf(file, sides[side] as Side)),
      ...joinedBy,
      ...(joinedBy.length > 0 ? [] : noSharedId(first.scored, second.scored)),
      ...clustered.notes,
      ...(isSame(files) ? [sourceNotes.sameFile(names[0])] : []),
      ...textNotes(shared, [first, second]),
      ...setNotes(shared, [first, second]),
      ...shared.flatMap((field) => noScoreNotes(field, [first, second])),
      ...shared.flatMap((field) => {
        const facts = [first.columns.get(field), second.columns.get(field)]
        return facts.every((fact) => fact?.unit && !fact.rate) ? [sourceNotes.unitRange(field)] : []
      }),
    ],
  }
}

function hasFailedRow({ measured }: MetricRow): boolean {
  return gapOfMeasured(measured) === "failed"
}

/** Values that are texts have no score: how many, and the first. */
function textNotes(shared: readonly string[], sides: readonly Side[]): readonly string[] {
  return shared.flatMap((field) =>
    sides.flatMap(({ columns }) => {
      const { texts, known: count = 0 } = columns.get(field) ?? {}
      return texts && count > 0 ? [sourceNotes.textValues(field, texts.count, texts.first, texts.where)] : []
    }),
  )
}

/** The field that was probably meant. */
function otherField(field: string, { numeric = [] }: Side): string {
  const last = field.split(".").at(-1)
  const meant = numeric.find((name) => name.split(".").at(-1) === last) ?? nearest(field, numeric)
  if (meant !== undefined) return `did you mean "${meant}"?`
  return numeric.length > 0 ? `numbers are in ${numeric.slice(0, 12).join(", ")}` : "name another field with --on"
}

/** Whether both sides are the same variant of the same file. */
function isSame([a, b]: readonly [ForeignFile, ForeignFile]): boolean {
  return "log" in a && "log" in b && a.name === b.name && a.variant === b.variant
}

/** Why a side has no score of a metric at all, as one whose values are labels; one that failed has its own words. */
function noScoreNotes(field: string, sides: readonly Side[]): readonly string[] {
  return sides.flatMap(({ columns, scored }) => {
    if (columns.get(field)?.known) return []
    const measured = scored.rows.get(field)?.find((row) => gapOfMeasured(row.measured) === "unmeasured")?.measured
    if (measured?.status !== "unscored") return []
    return [sourceNotes.noScores(field, sentenceOf(measured.reason, measured.code), scored.name)]
  })
}

/** Of metrics over sets of answers the rows hold each answer's own value, which is not what the metric is known for. */
function setNotes(shared: readonly string[], sides: readonly Side[]): readonly string[] {
  return shared
    .filter((field) => sides.some(({ sets = [] }) => sets.includes(field)))
    .map((field) => sourceNotes.meanOfValues(field, field.slice("metrics.".length)))
}

/** A side as it was read; a log has a name of its own for it. */
type Side = ForeignVariant & Partial<Pick<LogVariant, "variant" | "skipped">>

/** Two logs have their samples and metrics found for each other; rows are as they are. */
function joinedSides(
  [a, b]: readonly [ForeignFile, ForeignFile],
  pair: readonly [Side, Side],
  { on, pairBy }: ForeignOptions & { readonly pairBy?: PairBy },
): { readonly pair: readonly [Side, Side]; readonly on: readonly string[]; readonly joinedBy: readonly string[] } {
  if (!("log" in a && "log" in b)) return { pair, on, joinedBy: [] }
  const logs = pair as readonly [LogVariant, LogVariant]
  const joined = joinLogs(logs, { tools: [a.log.tool, b.log.tool], on, byId: pairBy === "id" })
  return { pair: joined.sides, on: joined.on, joinedBy: joined.notes }
}

function readSide(file: ForeignFile, label: string, options: ForeignOptions): Promise<Side> {
  return "log" in file ? logVariant(file, label) : foreignVariant(label, file.rows, options)
}

/** Two logs of different models are told apart by these. */
function namedByModel([first, second]: readonly [Side, Side]): readonly [Side, Side] {
  const [a, b] = [first.variant, second.variant]
  if (a === undefined || b === undefined || a === b) return [first, second]
  const named = (side: Side, name: string): Side => ({ ...side, scored: { ...side.scored, name } })
  return [named(first, a), named(second, b)]
}

function toolOf(file: ForeignFile): ForeignTool | null {
  return "log" in file ? file.log.tool : null
}

function notesOf(file: ForeignFile, { skipped = 0 }: Side): readonly string[] {
  if (!("log" in file)) return []
  const { log, name } = file
  const lost = skipped > 0 ? [sourceNotes.skipped(name, skipped)] : []
  return [sourceNotes.readAs(name, log.tool), ...log.notes.map((note) => `${name}: ${note}`), ...lost]
}
