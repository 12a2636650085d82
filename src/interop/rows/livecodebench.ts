import { basename, dirname } from "node:path"
import { listOf, numberOf, textOf, textsOf } from "../fields.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/**
 * Evaluations of LiveCodeBench (`Scenario.…_eval_all.json`): a question with its outputs and whether each passed. Facts: the submissions of
 * LiveCodeBench.
 */
export const livecodebench: RowFormat = {
  is: (row) => "question_id" in row && "graded_list" in row && ("output_list" in row || "code_list" in row),
  open: (file) =>
    rowsLog(
      file,
      {
        tool: "livecodebench",
        isUniform: true,
        metrics: new Map([["pass", { direction: "higher", range: [0, 1] }]]),
        notes: ["the model is named by the file's folder; pass: the share of outputs that passed all tests"],
      },
      (row, where, occasions) => {
        const [outputs, codes] = [textsOf(row.output_list), textsOf(row.code_list)]
        const id = textOf(row.question_id)
        return listOf(row.graded_list).map((grade, i) =>
          rowRecord(
            {
              ...(id !== undefined && { id }),
              input: textOf(row.question_content) ?? textOf(row.question_title),
              variant: basename(dirname(file.path)),
              text: outputs[i] ?? codes[i] ?? "",
              scores: { pass: numberOf(grade) ?? { reason: "the output was not graded" } },
            },
            "LiveCodeBench",
            where,
            occasions,
          ),
        )
      },
    ),
}
