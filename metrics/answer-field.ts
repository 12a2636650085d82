import { atPath, type JsonValue } from "../src/core/json.ts"
import { isObject } from "../src/core/json-members.ts"
import type { Metric } from "../src/core/metric/metric.ts"
import { checkOptions } from "../src/core/options.ts"
import { parseJsonAnswer } from "../src/text/reading/json-answer.ts"
import { jsonObjectsAt } from "../src/text/reading/json-objects.ts"
import { signature } from "./text/signature.ts"

/** Options of {@link answerField}. @public */
export interface AnswerFieldOptions {
  /** The field, with dots between its parts: `answer`, `result.text`. */
  readonly path: string
  /** Default: the metric's own name with `.` and the path. */
  readonly name?: string
}

/**
 * A metric of one field of an answer that is JSON: what stands there is measured as if it were the answer. The JSON may have a code
 * fence around it; of an answer that is other text, too, the last JSON object in it counts. A field that is no text is measured as its JSON.
 *
 * An answer without the field is measured as an empty one: it is wrong, not left out. Range, direction, unit, cost and what is unscored are
 * the metric's.
 *
 * Misleads where the form is half of the task: a right field in a wrong form counts as right; put `jsonMatch` beside it. Source: the metric's.
 *
 * @example
 * // output '{"answer": "Paris", "confidence": 0.9}', references ["Paris"]
 * answerField(exactMatch(), { path: "answer" }) // 1
 * @public
 */
export function answerField<Row>(metric: Metric<Row>, options: AnswerFieldOptions): Metric<Row> {
  checkOptions("answerField", options)
  const { path, name = `${metric.name}.${path}` } = options
  const { recipe: _ofTheWholeAnswer, ...facts } = metric
  return {
    ...facts,
    name,
    signature: `${signature("answerField", { path: path.replaceAll("|", ",") })}|${metric.signature}`,
    measure(sample, generation, tools) {
      const { answerOf } = tools
      const others = answerOf && {
        answerOf(variant: string) {
          const other = answerOf(variant)
          return other === null ? null : fieldText(other, path)
        },
      }
      return metric.measure(sample, { ...generation, text: fieldText(generation.text, path) }, { ...tools, ...others })
    },
  }
}

function fieldText(text: string, path: string): string {
  const last = jsonObjectsAt(text).at(-1)
  const answer = parseJsonAnswer(text) ?? (last && parseJsonAnswer(text.slice(last.start, last.end)))
  const field: JsonValue = (isObject(answer) ? atPath(answer, path) : null) ?? ""
  return typeof field === "string" ? field : JSON.stringify(field)
}
