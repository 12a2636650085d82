import type { ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject } from "../../core/json.ts"
import { numberOf, textOf } from "../fields.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/**
 * AlpacaEval's annotations (`annotations.json`): two outputs and the preference between them, from 1 (the first) to 2 (the second), of which
 * each generator has its wins; and its outputs (`model_outputs.json`), which have no scores.
 */
export const alpacaEval: RowFormat = {
  is: (row) =>
    "instruction" in row && (("output_1" in row && "generator_2" in row) || ("output" in row && "generator" in row)),
  open: (file) =>
    rowsLog(
      file,
      {
        tool: "alpaca-eval",
        hasScores: false,
        metrics: new Map([["win", { direction: "higher", range: [0, 1] }]]),
        notes: ["win: the share of comparisons with the other outputs of the file that were won; a tie counts half"],
      },
      (row, where, occasions) => {
        const output = (side: "" | "_1" | "_2", scores: ForeignRecord["scores"]) =>
          rowRecord(
            {
              input: textOf(row.instruction),
              variant: textOf(row[`generator${side}`]),
              text: textOf(row[`output${side}`]) ?? "",
              scores,
            },
            "AlpacaEval",
            where,
            occasions,
          )
        if ("output" in row) return output("", {})
        return (["_1", "_2"] as const).map((side) => output(side, { win: winOf(row, side) }))
      },
    ),
}

/** 0 and 1.5 are ties. */
function winOf({ preference }: JsonObject, side: "_1" | "_2"): ForeignScore {
  const value = numberOf(preference)
  if (value === 0) return 0.5
  if (value === undefined || value < 1 || value > 2) return { reason: "the annotator gave no preference" }
  return side === "_2" ? value - 1 : 2 - value
}
