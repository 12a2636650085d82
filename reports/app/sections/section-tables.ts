import type { FairnessData, JudgeCardData, TableData } from "../../../src/core/report/report-sections.ts"
import { readableName } from "../../../src/words/metric.ts"

/** A row per judge, a column per figure. */
export function judgeTable({ judges }: JudgeCardData): TableData {
  const names = [...new Set(judges.flatMap((judge) => Object.keys(judge.figures)))]
  const unit = (name: string) => judges.find((judge) => judge.units?.[name])?.units?.[name]
  return {
    columns: [{ title: "judge" }, ...names.map((name) => ({ title: readableName(name), unit: unit(name) ?? "score" }))],
    rows: judges.map((judge) => [judge.judge, ...names.map((name) => judge.figures[name] ?? null)]),
  }
}

/** A row per variant, a column per group, the largest gap last. */
export function fairnessTable({ variants, unit }: FairnessData): TableData {
  const groups = [...new Set(variants.flatMap((variant) => Object.keys(variant.groups)))]
  const of = unit ?? "score"
  return {
    columns: [
      { title: "variant" },
      ...groups.map((title) => ({ title, unit: of })),
      { title: "largest gap", unit: of },
    ],
    rows: variants.map((variant) => [
      variant.variant,
      ...groups.map((group) => variant.groups[group] ?? null),
      variant.gap,
    ]),
  }
}
