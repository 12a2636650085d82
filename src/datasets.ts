// `evalkit/datasets`: data sets, perturbations and counterfactual copies.

export type { RawRow } from "../datasets/bad-row.ts"
export { type CounterfactualOptions, counterfactual } from "../datasets/counterfactual/counterfactual.ts"
export {
  combinedSwap,
  type Direction,
  type GroupSwapOptions,
  groupSwap,
  type NameSwapOptions,
  nameSwap,
  pronounSwap,
  type Swap,
  swapWhere,
} from "../datasets/counterfactual/swaps.ts"
export { dataset } from "../datasets/dataset.ts"
export type { DownloadLimits } from "../datasets/download.ts"
export type { FieldMapping, FieldSource, SampleField } from "../datasets/fields.ts"
export { type InlineOptions, inline, type Rows } from "../datasets/inline.ts"
export type { MediaOptions } from "../datasets/media/options.ts"
export { type NeedlesOptions, needles } from "../datasets/needles/needles.ts"
export type { DatasetFileOptions, DatasetOptions, Selection } from "../datasets/options.ts"
export { limitDataset } from "../datasets/part/limit.ts"
export {
  type AddedSentenceOptions,
  distractorSentence,
  fillerSentence,
  foreignSentence,
} from "../datasets/perturb/added-sentence.ts"
export { type AttackOptions, injectedInstruction, secretProbe } from "../datasets/perturb/attacks.ts"
export { choiceOrder } from "../datasets/perturb/choice-order.ts"
export { compose } from "../datasets/perturb/compose.ts"
export { contextOrder, type TruncatedContextOptions, truncatedContext } from "../datasets/perturb/context-changes.ts"
export { type ContractionsOptions, contractions } from "../datasets/perturb/contractions.ts"
export { type HomoglyphsOptions, homoglyphs } from "../datasets/perturb/homoglyphs.ts"
export { type InvisibleCharactersOptions, invisibleCharacters } from "../datasets/perturb/invisible-characters.ts"
export { type LetterCaseOptions, letterCase } from "../datasets/perturb/letter-case.ts"
export { type NumeralsOptions, numerals } from "../datasets/perturb/numerals.ts"
export { type ParaphraseTemplateOptions, paraphraseTemplate } from "../datasets/perturb/paraphrase-template.ts"
export {
  type Perturbation,
  type TextPerturbationOptions,
  textPerturbation,
} from "../datasets/perturb/perturbation.ts"
export { type PerturbedOptions, perturbed } from "../datasets/perturb/perturbed.ts"
export { type PhoneticTyposOptions, phoneticTypos } from "../datasets/perturb/phonetic-typos.ts"
export { type PunctuationOptions, punctuation } from "../datasets/perturb/punctuation.ts"
export { type SynonymsOptions, synonyms, type Thesaurus } from "../datasets/perturb/synonyms.ts"
export { type TyposOptions, typos } from "../datasets/perturb/typos.ts"
export { type WhitespaceOptions, whitespace } from "../datasets/perturb/whitespace.ts"
export { type ReadRowsOptions, readRows } from "../datasets/read-rows.ts"
export type { DatasetFormat } from "../datasets/source.ts"
export { bbqQuestions } from "../datasets/stereotype/bbq-questions.ts"
export { pronounQuestions } from "../datasets/stereotype/pronoun-questions.ts"
export { crowsPair, stereoSetPair } from "../datasets/stereotype/published-rows.ts"
export { stereotypePairs } from "../datasets/stereotype/stereotype-pairs.ts"
export * from "./core/copy-of.ts"
export * from "./core/dataset.ts"
export type { PairRole, PreferencePair } from "./core/metric/preference-pair.ts"
export * from "./core/sample.ts"
