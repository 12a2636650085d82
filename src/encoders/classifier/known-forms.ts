import type { Activation, InputForm, WindowRule } from "./settings.ts"

/** What a cross-encoder is given, and how its output becomes one score. */
export interface CrossEncoderForm {
  readonly form: InputForm
  readonly activation: Activation
  readonly windows: WindowRule
  readonly tokens: "first" | "largest"
  /** Place or name of the output that is the score; null: the only one, or the label that means "supported". */
  readonly label: number | string | null
  /** 1 minus it. */
  readonly invert: boolean
}

const pair = { kind: "pair" } as const

/**
 * How published models were trained to be asked, by name. Sources: the model cards and the code of their authors; docs/models.md
 * says which files and licences they have.
 */
export const knownForms = {
  /** Any model with one output, or a label for entailment or support; a single logit is read through a sigmoid. */
  pair: { form: pair, activation: "softmax", windows: "max", tokens: "first", label: null, invert: false },
  /** Vectara's HHEM-2.1-Open: a T5 with a fixed prompt, whose first token has the classes inconsistent, consistent. */
  hhem: {
    form: {
      kind: "template",
      template: "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text}\n\nHypothesis: {pair}",
    },
    activation: "softmax",
    windows: "max",
    tokens: "first",
    label: 1,
    invert: false,
  },
  /** MiniCheck (RoBERTa-Large, DeBERTa-v3-Large): document and claim joined by the end-of-text token; classes not supported, supported. */
  minicheck: {
    form: { kind: "template", template: "{text}{eos}{pair}" },
    activation: "softmax",
    windows: "max",
    tokens: "first",
    label: 1,
    invert: false,
  },
  /** LettuceDetect and TinyLettuce: class 1 of a token is "hallucinated"; an answer is as sound as its worst token in any window. */
  tinylettuce: { form: pair, activation: "softmax", windows: "max", tokens: "largest", label: 1, invert: true },
  /** BLEURT-20: reference and candidate, one number that is the score. */
  bleurt: { form: pair, activation: "none", windows: "first", tokens: "first", label: 0, invert: false },
  /** COMET (wmt22-comet-da): source, translation and reference, each in inputs of its own; one number that is the score. */
  comet: {
    form: { kind: "separate", prefixes: { source: "src_", pair: "mt_", text: "ref_" } },
    activation: "none",
    windows: "first",
    tokens: "first",
    label: 0,
    invert: false,
  },
} as const satisfies Readonly<Record<string, CrossEncoderForm>>

/** A family of models that {@link crossEncoder} knows how to ask. @public */
export type KnownForm = keyof typeof knownForms
