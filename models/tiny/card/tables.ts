import type { JsonValue } from "../../../src/core/json.ts"
import { cohensKappa } from "../../../src/stats/agreement/cohen-kappa.ts"
import { wilsonInterval } from "../../../src/stats/intervals/proportion-interval.ts"
import { bootstrapItems } from "../../../src/stats/resampling/items-bootstrap.ts"
import { mcnemarExact } from "../../../src/stats/tests/mcnemar.ts"
import type { LadderStep } from "./measure-ladder.ts"
import type { Answer } from "./run-set.ts"

const seed = 42

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}

/** Variants in the order in which they ran. */
export function variantsOf(answers: readonly Answer[]): readonly string[] {
  return [...new Set(answers.map(({ variant }) => variant))]
}

/** Accuracy of every variant with bytes, perplexity, divergence and the exact McNemar test against the size's F16. */
export function ladderTable(
  answers: readonly Answer[],
  bytes: ReadonlyMap<string, number>,
  ladder: ReadonlyMap<string, LadderStep>,
): string {
  const head = [
    "variant",
    "bytes",
    "accuracy [95 %]",
    "lost / won",
    "McNemar p",
    "perplexity",
    "loss to F16, nats [95 %]",
    "KL to F16, nats",
  ]
  return table(
    head,
    variantsOf(answers).map((variant) => {
      const own = answers.filter((answer) => answer.variant === variant)
      const baseline = new Map(
        answers.filter((answer) => answer.variant === `${variant[0]}-f16`).map(({ id, correct }) => [id, correct]),
      )
      const lost = own.filter(({ id, correct }) => baseline.get(id) && !correct).length
      const won = own.filter(({ id, correct }) => !baseline.get(id) && correct).length
      const { perplexity, divergence, loss } = ladder.get(variant) as LadderStep
      return [
        variant,
        (bytes.get(variant) as number).toLocaleString("en"),
        rate(own),
        variant.endsWith("-f16") ? "–" : `${lost} / ${won}`,
        variant.endsWith("-f16") ? "–" : significant(mcnemarExact(lost, won)),
        perplexity.toFixed(4),
        variant.endsWith("-f16") ? "–" : `${loss.value.toFixed(5)} [${loss.low?.toFixed(5)}, ${loss.high?.toFixed(5)}]`,
        divergence.toFixed(5),
      ]
    }),
  )
}

/** Accuracy with interval by a field of the rows, one column for each variant. */
export function accuracyTable(answers: readonly Answer[], field: string, variants: readonly string[]): string {
  const values = [...new Set(answers.map(({ row }) => row[field]))]
  return table(
    [field, "n", ...variants],
    values.map((value) => {
      const own = answers.filter(({ row }) => row[field] === value)
      const cells = variants.map((variant) => own.filter((answer) => answer.variant === variant))
      return [String(value), String(cells[0]?.length), ...cells.map(rate)]
    }),
  )
}

/** Pointwise agreement with the truth (Cohen's κ) and the share of pairs judged alike in both orders. */
export function judgeTable(answers: readonly Answer[]): string {
  const panelled = [...answers, ...panel(answers, "panel of m-f16, m-q4_0, s-f16", ["m-f16", "m-q4_0", "s-f16"])]
  return table(
    ["judge", "κ pointwise [95 %]", "accuracy pointwise", "accuracy pairwise", "same verdict in both orders"],
    variantsOf(panelled).map((variant) => {
      const own = panelled.filter((answer) => answer.variant === variant)
      const pointwise = own.filter(({ row }) => row.task === "judge")
      const pairwise = own.filter(({ row }) => row.task === "pairwise")
      return [variant, kappa(pointwise), rate(pointwise), rate(pairwise), rate(bothOrders(pairwise))]
    }),
  )
}

/** The most frequent answer of the members; the first member's where all differ. */
function panel(answers: readonly Answer[], name: string, members: readonly string[]): readonly Answer[] {
  const byId = new Map<string, Answer[]>()
  for (const member of members) {
    for (const answer of answers.filter(({ variant }) => variant === member)) {
      byId.set(answer.id, [...(byId.get(answer.id) ?? []), answer])
    }
  }
  return [...byId.values()].map((votes) => {
    const count = (text: string) => votes.filter((vote) => vote.text === text).length
    const winner = votes.reduce((best, vote) => (count(vote.text) > count(best.text) ? vote : best))
    return { ...winner, variant: name }
  })
}

function kappa(answers: readonly Answer[]): string {
  const truth = ({ row }: Answer) => String(row.label)
  const verdict = ({ text, row }: Answer) => ((row.choices as readonly string[]).includes(text) ? text : "none")
  const figure = bootstrapItems(answers, (list) => cohensKappa(list.map(truth), list.map(verdict)), { seed })
  return `${figure.value.toFixed(2)} [${figure.low?.toFixed(2)}, ${figure.high?.toFixed(2)}]`
}

/** Each pair once; correct when the two orders name the same answer. */
function bothOrders(answers: readonly Answer[]): readonly Answer[] {
  const seen = new Map<JsonValue | undefined, Answer>()
  return answers.flatMap((answer) => {
    const other = seen.get(answer.row.cluster)
    seen.set(answer.row.cluster, answer)
    return other === undefined ? [] : [{ ...answer, correct: answer.text !== other.text }]
  })
}

/** Rate of acceptance of `first` less that of `second`, paired by application, with a bootstrap over applications. */
export function fairnessTable(answers: readonly Answer[]): string {
  return table(
    ["variant", "women − men [95 %] (planted)", "south − north [95 %] (not planted)"],
    variantsOf(answers).map((variant) => {
      const own = answers.filter((answer) => answer.variant === variant)
      return [variant, difference(own, "group", "woman", "man"), difference(own, "region", "south", "north")]
    }),
  )
}

function difference(answers: readonly Answer[], field: string, first: string, second: string): string {
  const clusters = [...new Set(answers.map(({ row }) => row.cluster))].map((cluster) => {
    const own = answers.filter(({ row }) => row.cluster === cluster)
    return accepted(own, field, first) - accepted(own, field, second)
  })
  const figure = bootstrapItems(clusters, (list) => list.reduce((sum, value) => sum + value, 0) / list.length, { seed })
  return `${figure.value.toFixed(3)} [${figure.low?.toFixed(3)}, ${figure.high?.toFixed(3)}]`
}

function accepted(answers: readonly Answer[], field: string, value: string): number {
  const own = answers.filter(({ row }) => row[field] === value)
  return own.filter(({ text }) => text === "accept").length / own.length
}

/** "0.912 [0.891, 0.929]", Wilson. */
export function rate(answers: readonly Answer[]): string {
  const right = answers.filter(({ correct }) => correct).length
  const { low, high } = wilsonInterval(right, answers.length)
  return `${(right / answers.length).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

function significant(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3)
}
