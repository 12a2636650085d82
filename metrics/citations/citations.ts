import type { Generation } from "../../src/core/generation.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { rowMetric } from "../row-metric.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { signature } from "../text/signature.ts"
import { type CitationRow, citationRow } from "./citation-row.ts"
import { precisionSection, recallSection } from "./section.ts"
import { type CitationSupport, type Support, supportOf } from "./support.ts"

export type { CitationRow } from "./citation-row.ts"
export type { CitationSupport } from "./support.ts"

/** Options of {@link citationRecall} and {@link citationPrecision}. @public */
export interface CitationOptions {
  readonly name?: string
  /** How it is decided whether passages support a sentence. Default `overlap`. */
  readonly support?: CitationSupport
}

/**
 * Citation recall: the share of the answer's sentences that the passages which they cite ("[2]") support, all together. A sentence
 * without a citation, or with one of a passage that does not exist, is not supported. Passages are numbered from 1.
 *
 * `overlap` compares words and facts: blind to paraphrase and to words put together wrongly; a model of natural language inference
 * or a judge sees more, and errs in its own ways. Sentences that say (in English) that the answer is not known are left out. Range
 * 0..1, higher is better; the summary is the mean over answers, as ALCE prints it. Cost: with a model, one pass or call a cited sentence,
 * and up to two more for each of several citations. Source: Gao et al. 2023. Unscored: `no_context`, `empty_output`, `abstained`,
 * `claims_failed`, `claims_unparseable`.
 *
 * @example
 * // context ["Ada was born in London.", "Ada died in 1852."], output "Ada was born in London [1]. She died in 1852."
 * citationRecall() // 0.5
 * @public
 */
export function citationRecall(options: CitationOptions = {}): Metric<CitationRow> {
  checkOptions("citationRecall", options)
  return citationMetric("citationRecall", options, (row) => row.supported / row.sentences, recallSection)
}

/**
 * Citation precision: the share of the answer's citations that help to support their sentence. A citation does not when its
 * sentence is not supported at all, or when its passage alone does not support it while the other passages cited do. Citations of sentences that
 * name a passage which does not exist are not counted ({@link inventedCitations} counts them); an answer without citations has 0.
 *
 * Range 0..1, higher is better; the summary is the mean over answers. Support, cost, source and reasons of unscored answers as in
 * {@link citationRecall}; with both, nothing is checked twice.
 *
 * Misleads as the check of support does: what it calls unsupported may only be said in other words. Source: Gao et al. 2023
 * (ALCE).
 *
 * @example
 * // context ["Ada was born in London.", "Cats sleep."], output "Ada was born in London [1][2]."
 * citationPrecision() // 0.5
 * @public
 */
export function citationPrecision(options: CitationOptions = {}): Metric<CitationRow> {
  checkOptions("citationPrecision", options)
  const precision = (row: CitationRow) => (row.citations === 0 ? 0 : row.precise / row.citations)
  return citationMetric("citationPrecision", options, precision, precisionSection)
}

function citationMetric(
  figure: "citationRecall" | "citationPrecision",
  { name = figure, support: option = "overlap" }: CitationOptions,
  value: (row: CitationRow) => number,
  section: typeof recallSection,
): Metric<CitationRow> {
  const support = supportOf(option, figure)
  const metric = rowMetric<CitationRow>({
    name,
    signature: signature(figure, { rule: "alce", support: support.identity, abstentions: "no" }),
    range: [0, 1],
    unit: "share",
    ...(support.asks && { asks: support.asks }),
    ...(support.asksWith && { asksWith: support.asksWith }),
    ...(support.uses && { uses: support.uses }),
    measure: (sample, generation, tools) =>
      rowOnce(option, () => citationRow(sample, generation.text, support, tools), generation),
    value,
    section: (variants, level) => section(name, value, variants, level),
    ...(support.close && { close: support.close }),
  })
  const hint = "support: a provider or a model of entailment reads others"
  return option === "overlap" ? inLanguages({ languages: wordLanguages, hint }, metric) : metric
}

/** A row under way or done. */
type Checked = Promise<CitationRow | Unscored>

/**
 * Rows by what checks them, so that recall and precision of one answer check it once; gone with the answer. By the option itself:
 * two endpoints may serve models of one name.
 */
const rows = new WeakMap<Generation, Map<CitationSupport, Checked>>()

function rowOnce(option: CitationSupport, check: () => Checked, generation: Generation): Checked {
  const existing = rows.get(generation) ?? new Map<CitationSupport, Checked>()
  rows.set(generation, existing)
  const before = existing.get(option)
  if (before) return before
  const row = check()
  existing.set(option, row)
  row.catch(() => existing.delete(option))
  return row
}

/** Options of {@link missingCitations} and {@link inventedCitations}. @public */
export interface CitationMarkOptions {
  readonly name?: string
}

/**
 * Missing citations: the share of the answer's sentences that cite no passage. Sentences that say that the answer is not known
 * are left out. Whether what is cited supports them is not looked at. Range 0..1, lower is better; the summary is the mean. No
 * model, linear in the text. Unscored: `no_context`, `empty_output`, `abstained`.
 *
 * Misleads for answers with sentences that need no source ("Let us look at both."): they count as uncited. Source: evalkit's
 * own definition.
 *
 * @example
 * // context ["Ada was born in London.", "Ada died in 1852."], output "Ada was born in London [1]. She died in 1852."
 * missingCitations() // 0.5
 * @public
 */
export function missingCitations(options: CitationMarkOptions = {}): Metric<CitationRow> {
  checkOptions("missingCitations", options)
  return markMetric("missingCitations", options, ({ uncited, sentences }) => uncited / sentences)
}

/**
 * Invented citations: 1 when the answer cites a passage that does not exist, else 0; the summary is the rate. Range 0..1, lower
 * is better. No model, linear in the text. Unscored: `no_context`, `empty_output`, `abstained`.
 *
 * Misleads where citations have another form than "[2]": they are not seen. That a passage exists does not mean that it
 * supports the sentence: see {@link citationPrecision}. Source: evalkit's own definition.
 *
 * @example
 * // context ["Ada was born in London.", "Ada died in 1852."], output "Ada was born in London [3]."
 * inventedCitations() // 1
 * @public
 */
export function inventedCitations(options: CitationMarkOptions = {}): Metric<CitationRow> {
  checkOptions("inventedCitations", options)
  return markMetric("inventedCitations", options, ({ invented }) => Number(invented > 0))
}

function markMetric(
  figure: string,
  { name = figure }: CitationMarkOptions,
  value: (row: CitationRow) => number,
): Metric<CitationRow> {
  return rowMetric<CitationRow>({
    name,
    signature: signature(figure, { marks: "brackets", abstentions: "no" }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    measure: (sample, generation, tools) => citationRow(sample, generation.text, nothingChecked, tools),
    value,
  })
}

/** For figures that rest on marks alone. */
const nothingChecked: Support = { identity: "none", check: async (claims) => claims.map(() => true) }
