import { readRows } from "../../../datasets/read-rows.ts"
import { badField, fieldOf, idOf, scoreOf } from "../../analyse/judge-validation/row-fields.ts"
import { storedVerdicts } from "../../analyse/judge-validation/stored-verdicts.ts"
import { UsageError } from "../../core/errors.ts"
import type { HumanLabel } from "../../core/report/section-judge.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/** Whose labels a file holds, where its rows do not say it. */
export interface LabelFile {
  readonly file: string
  readonly directory: string
  readonly metric: string | undefined
  readonly labeller: string
  readonly policy: string | undefined
  readonly drawn: HumanLabel["drawn"]
  /** ISO 8601. */
  readonly at: string
}

/**
 * Labels of a file for the judged answers of a run: rows `{id, human}`, with `variant` where the run has several, and, where they differ
 * from row to row, `repeat`, `labeller`, `policy` and `drawn`. Rows without a label are left out.
 *
 * @throws {UsageError} for a row that names no judged answer of the run, and for one whose label is no score
 */
export async function readLabels(store: RunStore, record: RunRecord, from: LabelFile): Promise<readonly HumanLabel[]> {
  const { metric, answers } = storedVerdicts(store, record, from.metric)
  const keys = new Set(answers.map(({ variant, sampleId, repeat }) => `${variant}\u0000${repeat}\u0000${sampleId}`))
  const only = record.variants.length === 1 ? record.variants[0]?.name : undefined
  const labels: HumanLabel[] = []
  for await (const { row, where } of readRows(from.file, { baseDirectory: from.directory, inferTypes: true })) {
    const score = scoreOf(row, "human", where)
    if (score === null) continue
    const text = (name: string) => {
      const value = fieldOf(row, name)
      return value === undefined || value === null || value === "" ? undefined : String(value)
    }
    const [sampleId, variant, repeat] = [idOf(row, "id", where), text("variant") ?? only, Number(text("repeat") ?? 0)]
    if (variant === undefined)
      throw new UsageError("the row does not say whose answer it labels", {
        where,
        hint: `add a column variant with one of: ${record.variants.map(({ name }) => name).join(", ")}`,
      })
    if (!keys.has(`${variant}\u0000${repeat}\u0000${sampleId}`))
      throw new UsageError(`the run has no answer of ${variant} to ${sampleId} that ${metric} judged`, {
        where,
        hint: "ids are those of the data set; export the answers to label with: evalkit report RUN -f jsonl",
      })
    const drawn = text("drawn") ?? from.drawn
    if (drawn !== "chance" && drawn !== "doubt") throw badField(where, "drawn", '"chance" or "doubt"', drawn)
    const policy = text("policy") ?? from.policy
    const labeller = text("labeller") ?? from.labeller
    const own = { metric, variant, sampleId, repeat, score, labeller, drawn, at: text("at") ?? from.at } as const
    labels.push(policy === undefined ? own : { ...own, policy })
  }
  if (labels.length === 0)
    throw new UsageError("the file has no labels", {
      where: from.file,
      hint: 'write rows like {"id": "q1", "human": 1}',
    })
  return labels
}
