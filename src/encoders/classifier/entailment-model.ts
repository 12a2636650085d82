import { EvalkitError } from "../../core/errors.ts"
import type { CrossEncoder } from "../../core/metric/cross-encoder.ts"
import type { TextClassifier } from "../../core/metric/text-classifier.ts"
import type { OpenOptions } from "../../core/metric/used-model.ts"

/**
 * A model of natural language inference for `unentailedSentences`, `selfConsistency`, `citationPrecision`, `citationRecall` and
 * `entailmentClasses` (semantic entropy). Of a classifier: the probability of the label that says "entail", and that of
 * "contradict" against it (neutral left out). Of a cross-encoder (HHEM, MiniCheck, TinyLettuce …): its score; it tells no
 * contradiction from what is merely not said.
 *
 * @throws {EvalkitError} `no_entailment_label`, `no_contradiction_label` when the model has no such label
 * @example entailmentModel(classifier({ model: "Xenova/nli-deberta-v3-xsmall" }))
 * @example entailmentModel(crossEncoder({ model: "./hhem-2.1", as: "hhem" }))
 * @public
 */
export function entailmentModel(model: TextClassifier): ContradictionModel
export function entailmentModel(model: CrossEncoder): SupportModel
export function entailmentModel(model: TextClassifier | CrossEncoder): SupportModel | ContradictionModel {
  const { open } = model
  const common = {
    identity: model.identity,
    ...(open && { open: (signal: AbortSignal, options?: OpenOptions) => open.call(model, signal, options) }),
    close: () => model.close(),
  }
  const textsOf = ({ premise, hypothesis }: Pair) => ({ text: premise, pair: hypothesis })
  if ("score" in model)
    return {
      ...common,
      entailment: (pairs: readonly Pair[], signal: AbortSignal) => model.score(pairs.map(textsOf), signal),
    }
  const classify = (pairs: readonly Pair[], signal: AbortSignal) => model.classify(pairs.map(textsOf), signal)
  return {
    ...common,
    entailment: async (pairs: readonly Pair[], signal: AbortSignal) =>
      (await classify(pairs, signal)).map((labels) => labelled(labels, "entail")),
    async contradiction(pairs: readonly Pair[], signal: AbortSignal) {
      const results = await classify(pairs, signal)
      return results.map((labels) => {
        const [against, agreed] = [labelled(labels, "contradict"), labelled(labels, "entail")]
        return against / (against + agreed)
      })
    },
  }
}

/** Tells how far a premise entails a hypothesis. */
interface SupportModel {
  readonly identity: string
  entailment(pairs: readonly Pair[], signal: AbortSignal): Promise<readonly number[]>
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
  close(): Promise<void>
}

/** Tells a contradiction from what is not said, too. */
interface ContradictionModel extends SupportModel {
  contradiction(pairs: readonly Pair[], signal: AbortSignal): Promise<readonly number[]>
}

interface Pair {
  readonly premise: string
  readonly hypothesis: string
}

function labelled(labels: ReadonlyMap<string, number>, start: "entail" | "contradict"): number {
  for (const [label, probability] of labels) if (label.toLowerCase().startsWith(start)) return probability
  const noun = start === "entail" ? "entailment" : "contradiction"
  throw new EvalkitError(`the model has no label for ${noun}`, {
    code: `no_${noun}_label`,
    where: [...labels.keys()].join(", "),
  })
}
