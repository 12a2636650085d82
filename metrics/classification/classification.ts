import { UsageError } from "../../src/core/errors.ts"
import type { Generation } from "../../src/core/generation.ts"
import { type Aggregation, type Metric, scored, type Unscored, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { type ClassificationFigures, countsSize, figuresOf, type LabelRow, writeCounts } from "./confusion.ts"
import { type LabelReading, labelReader, plain } from "./read-label.ts"
import { confusionSection, countsOf } from "./section.ts"

export type { LabelRow } from "./confusion.ts"
export type { LabelReading } from "./read-label.ts"

/** What a classification is summed up by; the first two and `mcc` over all classes, the last three of one (`of`). @public */
export type ClassificationFigure =
  | "accuracy"
  | "balancedAccuracy"
  | "mcc"
  | "macroPrecision"
  | "macroRecall"
  | "macroF1"
  | "microPrecision"
  | "microRecall"
  | "microF1"
  | "weightedPrecision"
  | "weightedRecall"
  | "weightedF1"
  | "precision"
  | "recall"
  | "f1"

/** Options of {@link classification}. @public */
export interface ClassificationOptions {
  /** The classes, as answers name them; at least two. */
  readonly labels: readonly string[]
  readonly name?: string
  /** The figure. Default `macroF1`. */
  readonly figure?: ClassificationFigure
  /** The class that `precision`, `recall` and `f1` are of. */
  readonly of?: string
  /** Which label counts where an answer names several: none of them (`only`, default), the `first`, the `last`. */
  readonly reading?: LabelReading
  /** The field that holds the label where the answer is a JSON object. Default `label`. */
  readonly field?: string
  /** An answer from which no label can be read is `wrong` (default), or left out (`unscored`). */
  readonly unread?: "wrong" | "unscored"
}

const ofOneClass: readonly string[] = ["precision", "recall", "f1"]

/** Where each figure stands among all. */
const readers: Readonly<
  Record<ClassificationFigure, (figures: ClassificationFigures, of: number) => number | undefined>
> = {
  accuracy: ({ accuracy }) => accuracy,
  balancedAccuracy: ({ balancedAccuracy }) => balancedAccuracy,
  mcc: ({ mcc }) => mcc,
  macroPrecision: ({ macro }) => macro.precision,
  macroRecall: ({ macro }) => macro.recall,
  macroF1: ({ macro }) => macro.f1,
  microPrecision: ({ micro }) => micro.precision,
  microRecall: ({ micro }) => micro.recall,
  microF1: ({ micro }) => micro.f1,
  weightedPrecision: ({ weighted }) => weighted.precision,
  weightedRecall: ({ weighted }) => weighted.recall,
  weightedF1: ({ weighted }) => weighted.f1,
  precision: ({ classes }, of) => classes[of]?.precision,
  recall: ({ classes }, of) => classes[of]?.recall,
  f1: ({ classes }, of) => classes[of]?.f1,
}

/**
 * Classification: accuracy, balanced accuracy, Matthews correlation, and precision, recall and F1 by class, averaged over classes
 * (macro, micro, weighted by support) or of one class. The figure is one of them; all of them and the confusion matrix are
 * in its details and its section, which says which confusions came with the swap.
 *
 * The true class is the sample's `label`, else its first reference. The label is read from the answer by stated rules, which are part of the
 * signature: how an answer that names no label, or two, is counted can change figures by points. Macro figures of classes with few samples
 * vary widely: look at their interval. Range 0..1 (`mcc`: −1..1), higher is better. Equal to scikit-learn's figures over `labels` with
 * `zero_division=0`, unread answers being predictions of no class (for `mcc` a class of their own). Row: places of the true and the named
 * class. Cost: linear in the texts. Unscored: `no_label`; `unread` with `unread: "unscored"`.
 *
 * Misleads where classes are of very unequal size: accuracy is high for an answer that always names the largest one.
 *
 * @example
 * // labels spam, ham; true spam, spam, ham, ham; answers "spam", "ham", "Ham.", "It is ham."
 * classification({ labels: ["spam", "ham"] }) // 0.7333: F1 of spam 0.6667, of ham 0.8
 * @public
 */
export function classification(options: ClassificationOptions): Metric<LabelRow> {
  checkOptions("classification", options)
  const { figure = "macroF1", reading = "only", field = "label", unread = "wrong" } = options
  const labels = labelsOf(options)
  const of = options.of === undefined ? -1 : labels.indexOf(options.of)
  checkFigure(options, of)
  const name = options.name ?? (of < 0 ? figure : `${figure} of ${options.of}`)
  const read = labelReader(labels, { reading, field })
  const positions = new Map(labels.map((label, index) => [plain(label), index]))
  const size = countsSize(labels.length)
  const value = (counts: ArrayLike<number>) => readers[figure](figuresOf(counts, labels.length), of) ?? Number.NaN
  const aggregation: Aggregation<LabelRow> =
    figure === "accuracy"
      ? { kind: "mean" }
      : {
          kind: "sum",
          size,
          vector: (row, into, offset) => writeCounts(row, labels.length, into, offset),
          score: value,
        }
  return {
    name,
    signature: signature("classification", {
      ref: "scikit-learn",
      figure,
      ...(of >= 0 && { of: options.of as string }),
      labels: labels.join(","),
      reading,
      field,
      unread,
      zero_division: 0,
    }),
    direction: "higher",
    range: figure === "mcc" ? [-1, 1] : [0, 1],
    unit: figure === "mcc" ? "score" : "share",
    aggregation,
    recipe: recipe("classification", options),
    measure(sample, generation) {
      const actual = trueLabel(sample, positions)
      if (typeof actual !== "number") return actual
      const predicted = predictedLabel(generation, positions, read)
      if (predicted >= 0 || unread === "wrong") return scored({ actual, predicted })
      return unscored("unread", "no single label can be read from the answer")
    },
    value: ({ actual, predicted }) => Number(actual === predicted),
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const counts = countsOf(rows, labels.length)
      return { value: value(counts), details: detailsOf(figuresOf(counts, labels.length), labels) }
    },
    section: (variants, level) => confusionSection(labels, variants, level),
  }
}

function labelsOf({ labels }: ClassificationOptions): readonly string[] {
  const where = "classification({ labels })"
  if (
    labels === undefined ||
    labels.length < 2 ||
    labels.some((label) => typeof label !== "string" || plain(label) === "")
  )
    throw new UsageError("labels must be two or more texts with a letter or a digit", { where })
  const seen = new Map<string, string>()
  for (const label of labels) {
    const same = seen.get(plain(label))
    if (same !== undefined)
      throw new UsageError(`the labels "${same}" and "${label}" cannot be told apart in an answer`, { where })
    seen.set(plain(label), label)
  }
  return labels
}

function checkFigure({ figure = "macroF1", of: label, labels }: ClassificationOptions, of: number): void {
  const single = ofOneClass.includes(figure)
  if (single && of < 0)
    throw new UsageError(`${figure} needs the class that it is of`, {
      where: "classification({ of })",
      hint: `use one of the labels: ${labels.join(", ")}`,
    })
  if (!single && label !== undefined)
    throw new UsageError(`${figure} is over all classes: it takes no "of"`, {
      where: "classification({ of })",
      hint: `use precision, recall or f1 for one class`,
    })
}

/** The place of the sample's true class; unscored when it has none, or one that is not among the labels. */
function trueLabel({ label, references }: Sample, positions: ReadonlyMap<string, number>): number | Unscored {
  const stated = label === undefined ? references[0] : String(label)
  if (stated === undefined) return unscored("no_label", "the sample has neither a label nor a reference")
  return positions.get(plain(stated)) ?? unscored("no_label", `"${stated.slice(0, 80)}" is not one of the labels`)
}

/** The place of the class that the answer names; a prediction that came with recorded data counts as it is. */
function predictedLabel(
  { given, text }: Generation,
  positions: ReadonlyMap<string, number>,
  read: (text: string) => number,
): number {
  const prediction = given?.prediction
  return prediction === undefined ? read(text) : (positions.get(plain(String(prediction))) ?? -1)
}

function detailsOf({ classes, ...figures }: ClassificationFigures, labels: readonly string[]) {
  return {
    ...figures,
    macro: { ...figures.macro },
    micro: { ...figures.micro },
    weighted: { ...figures.weighted },
    classes: Object.fromEntries(classes.map((classFigures, i) => [labels[i] as string, { ...classFigures }])),
  }
}
