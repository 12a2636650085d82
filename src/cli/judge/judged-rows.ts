import { idOf } from "../../analyse/judge-validation/row-fields.ts"
import { UsageError } from "../../core/errors.ts"
import type { ForeignFigure } from "../../pipeline/score-file/score-file.ts"
import type { ForeignRow } from "../../rows/foreign-variant.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import type { Args, CommandIo } from "../command.ts"
import { columnPairs } from "../files/column-options.ts"
import { chosenMetrics } from "../score/chosen-metrics.ts"
import { scoreRowsFile } from "../score/score-rows-file.ts"

/** Rows of labels with the verdicts that a metric gives their outputs now, and the range of its scores. */
export interface JudgedRows {
  readonly rows: AsyncIterable<ForeignRow>
  /** The metric over the rows: which have no verdict, and why. */
  readonly figures: readonly ForeignFigure[]
  readonly range: readonly [number, number]
}

/**
 * Has the metric that `--metric` names score the output of each row, as `evalkit score` does, and puts its value into the column of the
 * verdicts: null where it has none. Rows of one id (a person each) are one answer, which is asked once.
 *
 * @throws {UsageError} for a metric that there is none of, and for a file without outputs
 */
export async function judgedRows(
  read: AsyncIterable<ForeignRow>,
  columns: { readonly id: string; readonly judge: string },
  args: Args,
  io: CommandIo,
): Promise<JudgedRows> {
  const { source, evaluation } = await chosenMetrics(
    { metric: [args.metric], config: args.config ?? "eval.config.ts" },
    io,
  )
  const metrics = orderMetrics(evaluation.metrics)
  const index = metrics.findIndex(({ name }) => name === args.metric)
  const range = metrics[index]?.range
  if (!range) throw new UsageError("there is no such metric", { where: `--metric ${String(args.metric)}` })
  const list: { readonly id: string; readonly read: ForeignRow }[] = []
  for await (const foreignRow of read)
    list.push({ id: idOf(foreignRow.row, columns.id, foreignRow.where), read: foreignRow })
  const verdicts = new Map<string, number | null>()
  const { figures } = await scoreRowsFile(
    {
      file: String(args.file),
      rows: undefined,
      source,
      evaluation,
      columns: columnPairs(args),
      workers: 0,
      given: firstOfEach(list),
      onScored: ({ sampleId, scores }) => verdicts.set(sampleId, scores[index]?.value ?? null),
    },
    io,
  )
  const asked = figures.filter(({ metric }) => metric === args.metric)
  return { rows: withVerdicts(list, columns.judge, verdicts), figures: asked, range }
}

async function* firstOfEach(list: readonly { readonly id: string; readonly read: ForeignRow }[]) {
  const seen = new Set<string>()
  for (const { id, read } of list) {
    if (seen.has(id)) continue
    seen.add(id)
    yield { row: { ...read.row, id }, where: read.where }
  }
}

async function* withVerdicts(
  list: readonly { readonly id: string; readonly read: ForeignRow }[],
  column: string,
  verdicts: ReadonlyMap<string, number | null>,
): AsyncGenerator<ForeignRow> {
  for (const { id, read } of list) yield { row: { ...read.row, [column]: verdicts.get(id) ?? null }, where: read.where }
}
