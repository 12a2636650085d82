import { UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type JudgedAnswer, judgedAnswers } from "./judged-answer.ts"
import type { LabelledItem } from "./people.ts"
import type { ValidationItem } from "./validation.ts"
import type { InvalidRule } from "./validation-rows.ts"

/**
 * Every judged answer of one metric of a stored run, with people's labels, or with those of one policy.
 *
 * @throws {UsageError} for a run without judged answers, and for a metric that judged none; it names those that did
 */
export function storedVerdicts(
  store: RunStore,
  record: RunRecord,
  metric: string | undefined,
  policy?: string,
): { readonly metric: string; readonly answers: readonly JudgedAnswer[] } {
  const labels = store.labels(record.id).filter((label) => policy === undefined || label.policy === policy)
  const answersOf = (name: string) =>
    judgedAnswers(
      record.variants.map((variant) => ({
        name: variant.name,
        model: variant.model,
        rows: [...store.rows(record.id, variant.name, name)],
      })),
      labels.filter((label) => label.metric === name),
    )
  const names = record.metrics.map(({ name }) => name)
  for (const name of names) {
    if (metric !== undefined && name !== metric) continue
    const answers = answersOf(name)
    if (answers.length > 0) return { metric: name, answers }
  }
  const judged = metric === undefined ? [] : names.filter((name) => answersOf(name).length > 0)
  if (judged.length > 0)
    throw new UsageError(`the run has no answers that were judged by "${metric}"`, {
      where: `run ${record.id}`,
      hint: `choose from: ${judged.join(", ")}`,
    })
  throw new UsageError("the run has no judged answers", {
    where: `run ${record.id}${metric === undefined ? "" : `, metric ${metric}`}`,
    hint: "add a judge or a panel to the config's metrics",
  })
}

/** Verdicts beside labels: of the metric as a whole, or of one of its judges. */
export function validationItems(
  answers: readonly JudgedAnswer[],
  options: {
    readonly judge?: string
    readonly invalid?: InvalidRule | undefined
    readonly group?: "variant" | "sample" | undefined
  } = {},
): readonly ValidationItem[] {
  const { judge, invalid, group } = options
  return answers.flatMap(({ variant, sampleId, repeat, row, human, drawnByChance }) => {
    const member = row.members.find((judgeVerdict) => judgeVerdict.judge === judge)
    if (judge !== undefined && !member) return []
    const id = `${sampleId}\u0000${variant}\u0000${repeat}`
    const score = member ? member.choice : row.score
    return [
      {
        id,
        judge: score,
        human,
        drawnByChance,
        missed: score === null && invalid === "wrong",
        ...(group === undefined ? {} : { group: group === "variant" ? variant : sampleId }),
      },
    ]
  })
}

/** What each person said, beside the metric as a whole or one of its judges. */
export function labelledItems(answers: readonly JudgedAnswer[], judge?: string): readonly LabelledItem[] {
  return answers.map(({ variant, sampleId, repeat, row, labels, lastWord }) => {
    const member = row.members.find((judgeVerdict) => judgeVerdict.judge === judge)
    const score = judge === undefined ? row.score : (member?.choice ?? null)
    return { id: `${sampleId} / ${variant} / ${repeat}`, judge: score, labels, lastWord }
  })
}
