import { UsageError } from "../../src/core/errors.ts"
import { type Metric, type Unscored, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { equalValues, hasExpression, otherReadings, type Tolerance } from "../../src/text/reading/equal-values.ts"
import { type Evaluate, loadEvaluate } from "../../src/text/reading/evaluate.ts"
import { type NumberReading, readNumbers } from "../../src/text/reading/read-number.ts"
import { isSingle, readValue, type Value } from "../../src/text/reading/value.ts"
import {
  otherReadingsOf,
  type ReadingChoice,
  type ReadingRow,
  readingDetails,
  readingsSection,
  readingValue,
} from "../readings.ts"
import { rowMetric } from "../row-metric.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link numericMatch}. @public */
export interface NumericMatchOptions {
  readonly name?: string
  /** Largest difference that still counts as equal; 0 by default. */
  readonly absoluteTolerance?: number
  /** The same as a share of the reference's magnitude; 0 by default. Either tolerance suffices. */
  readonly relativeTolerance?: number
  /**
   * Which reading is the figure: `first` (default) by the first rule that finds a number, `strict` or `lenient`. A verdict that turns with the
   * reading is inconclusive, unless one is stated here.
   */
  readonly reading?: ReadingChoice
}

/**
 * Numeric match: 1 when the final number of the answer equals the final number of a reference, else 0; the summary is the share.
 *
 * The final number is read by the first of these rules that finds one: the member `answer` of a JSON object, the contents of the last \boxed{},
 * what stands behind the last mark ("####", "A:", "The answer is", "Antwort:", "答案："), a number in bold, the last number of the text. Numbers of
 * every script and with every separator of thousands are understood, as are fractions, powers, roots and percent ("50%" is 50, not 0.5); units and
 * currency signs are left out. Tuples, intervals and ratios are compared as a whole, expressions by their value: 1/2 is 0.5, (0, 1) is not
 * (0, 4). An answer without a number is wrong (0).
 *
 * Beside the figure stand two readings: `strict` takes the first number of the form that most answers have (JSON and \boxed{}, or a mark), as
 * published scores do, and counts answers without it as wrong; `lenient` takes the last number of the text, wherever it stands (as lm-eval's
 * flexible extraction), its separator and its percent sign either way. A verdict that turns with the reading is inconclusive.
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Reproduces all 5,276 published correctness flags of GSM8K's example
 * solutions (Cobbe et al. 2021). Unscored: `no_reference`, `no_number` when no reference has a number, `not_one_number` when neither the
 * reference nor the answer is one number or a list of numbers, and they are not written alike.
 *
 * Misleads where reasoning continues after an unmarked answer, and where numbers are written in words (forty-two, zweiundvierzig, 四十二):
 * words are read in no language, so that such an answer is wrong.
 *
 * @example
 * // output "She makes 9 * 2 = 18 dollars.", references ["#### 18"]
 * numericMatch() // 1
 * @public
 */
export function numericMatch(options: NumericMatchOptions = {}): Metric<ReadingRow> {
  checkOptions("numericMatch", options)
  const { name = "numericMatch", absoluteTolerance = 0, relativeTolerance = 0, reading } = options
  if (!(absoluteTolerance >= 0 && relativeTolerance >= 0))
    throw new UsageError("tolerances must be numbers from 0", { where: "numericMatch" })
  const tolerance = { absolute: absoluteTolerance, relative: relativeTolerance }
  const metric = rowMetric<ReadingRow>({
    name,
    signature: signature("numericMatch", {
      refs: "any",
      abs: absoluteTolerance,
      rel: relativeTolerance,
      reading: reading ?? "first",
    }),
    range: [0, 1],
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const expected = references.flatMap(referenceValue)
      if (expected.length === 0) return unscored("no_number", "no reference of the sample has a number")
      const readings = readNumbers(generation.text)
      const compare = (evaluate?: Evaluate) => rowOf(readings, expected, tolerance, evaluate)
      const values = [...expected, ...readings.flatMap(({ value, first }) => (first ? [value, first] : [value]))]
      return values.some(hasExpression) ? loadEvaluate().then(compare) : compare()
    },
    value: (row) => readingValue(row, reading),
    details: readingDetails,
    ...(reading === undefined && { readings: otherReadingsOf }),
    section: (variants) => readingsSection(name, variants),
  })
  return textMetric("numericMatch", options, metric)
}

/** The final number of a reference, or what stands there in its place; nothing where it has no digit. */
function referenceValue(reference: string): readonly Value[] {
  const [read] = readNumbers(reference)
  if (read) return [read.value]
  return /\p{Nd}/u.test(reference) ? [readValue(reference)] : []
}

function rowOf(
  readings: readonly NumberReading[],
  expected: readonly Value[],
  tolerance: Tolerance,
  evaluate: Evaluate | undefined,
): ReadingRow | Unscored {
  const isRight = (answer: Value | null) =>
    answer !== null && expected.some((reference) => equalValues(answer, reference, tolerance, evaluate))
  const [read] = readings
  if (read === undefined) return { value: 0, lenient: 0, strict: 0, form: null, rule: null, read: null }
  const value = isRight(read.value)
  if (!value && read.value.kind === "other" && expected.some(({ kind }) => kind === "other"))
    return unscored("not_one_number", `${shown(read)} and the reference cannot be compared as numbers`)
  const last = (readings.at(-1) as NumberReading).value
  const explicit = readings.find(({ rule }) => rule === "json" || rule === "boxed" || rule === "marked")
  const isFirst = expected.some((reference) => isSingle(reference)) && explicit?.first
  return {
    value: Number(value),
    lenient: Number(isRight(last) || isRightOtherwise(last, expected, tolerance, evaluate)),
    strict: Number(explicit ? isRight(isFirst ? (explicit.first as Value) : explicit.value) : value && isBare(read)),
    form: explicit ? (explicit.rule === "marked" ? "mark" : "field") : isBare(read) ? "bare" : null,
    rule: read.rule,
    read: shown(read),
  }
}

/** Whether one of the two equals the other where its separator or its percent sign is taken the other way. */
function isRightOtherwise(
  answer: Value,
  expected: readonly Value[],
  tolerance: Tolerance,
  evaluate: Evaluate | undefined,
): boolean {
  const equal = (value: Value, other: Value) => equalValues(value, other, tolerance, evaluate)
  return expected.some((reference) => {
    const areBothPercent = [answer, reference].every((value) => value.kind === "number" && value.isPercent)
    if (areBothPercent) return false
    return (
      otherReadings(answer).some((value) => equal(value, reference)) ||
      otherReadings(reference).some((value) => equal(answer, value))
    )
  })
}

/** Whether an answer is nothing but its number, and a unit perhaps. */
function isBare({ rule, text }: NumberReading): boolean {
  return rule === "whole text" && (text.slice(0, 200).match(/\p{L}+/gu) ?? []).length <= 1
}

function shown({ text }: NumberReading): string {
  return text.trim().slice(0, 80)
}
