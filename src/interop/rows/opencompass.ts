import { basename } from "node:path"
import type { ForeignLog } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, objectOf, textOf, textsOf } from "../fields.ts"
import type { JsonDocument } from "../row-file.ts"
import { rowRecord, rowsLog } from "../row-format.ts"

/**
 * Whether a document is one of OpenCompass: predictions of a data set (`predictions/MODEL/DATASET.json`, by numbers from "0"), or its results
 * with the details of each answer (`--dump-eval-details`).
 */
export function isOpencompass(document: JsonObject): boolean {
  const first = entriesOf(document)[0]
  const isPrediction = member(first, "origin_prompt") !== undefined && member(first, "prediction") !== undefined
  const isDetail = member(first, "origin_prediction") !== undefined || correctOf(first) !== undefined
  return isPrediction || (document.details !== undefined && isDetail)
}

/** Answers of OpenCompass; predictions have no scores. */
export function opencompassLog(document: JsonDocument, { details }: JsonObject): ForeignLog {
  const isResult = details !== undefined
  const hasScores = isResult && entriesOf({ details }).some((entry) => correctOf(entry) !== undefined)
  return rowsLog(
    document.rows(isResult ? "details" : ""),
    {
      tool: "opencompass",
      dataset: basename(document.path).replace(/\.json$/, ""),
      hasScores,
      isUniform: true,
      notes: hasScores
        ? []
        : ["the file has no scores of single answers: evalkit compare A B --metric NAME measures them"],
    },
    (row, where, occasions) => {
      // Of perplexities of choices, each choice has a prompt of its own.
      const choice = Object.values(objectOf(row.origin_prediction) ?? {})[0]
      const prompt = row.origin_prompt ?? row.prompt ?? member(choice, "prompt") ?? row.example_abbr
      const text = [row.prediction, row.origin_prediction, row.predictions, row.pred].flatMap(textsOf)[0]
      const correct = correctOf(row)
      return rowRecord(
        {
          // Details of older versions have no prompts: their order is that of the data set.
          ...(prompt === undefined ? { input: null, id: `${occasions.next("row")}` } : { input: promptText(prompt) }),
          references: textsOf(row.gold ?? row.references ?? row.reference ?? row.answer),
          text: text ?? "",
          scores: correct === undefined ? {} : { correct },
        },
        "OpenCompass",
        where,
        occasions,
      )
    },
  )
}

function entriesOf(document: JsonObject): readonly JsonValue[] {
  const all = objectOf(document.details) ?? document
  if (Array.isArray(document.details)) return listOf(document.details)
  return Object.entries(all).flatMap(([key, value]) => (/^\d+$/.test(key) ? [value] : []))
}

function correctOf(row: JsonValue | undefined): number | undefined {
  const value = member(row, "correct") ?? member(row, "is_correct")
  return figureOf(listOf(value)[0] ?? value)
}

/** A text, or what was said in turn. */
function promptText(prompt: JsonValue): string {
  const turns = listOf(prompt).map((turn) => textOf(member(turn, "prompt")) ?? textOf(member(turn, "content")) ?? "")
  return textOf(prompt) ?? turns.join("\n")
}
