import { checkOptions } from "../../src/core/options.ts"
import type { Random } from "../../src/core/random.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of perturbations that add a sentence. @experimental */
export interface AddedSentenceOptions {
  readonly name?: string
  /** Sentences to draw from; there is a small stock of each kind. */
  readonly sentences?: readonly string[]
  /** Default `before`. */
  readonly place?: "before" | "after"
}

const filler = [
  "I hope you are well.",
  "Thank you in advance for your help.",
  "This should not take long.",
  "I have been meaning to ask you this for a while.",
  "Take your time.",
]

const distractors = [
  "My neighbour painted the fence on a rainy afternoon.",
  "The library on the corner opens late in winter.",
  "Somebody left an umbrella in the hall.",
  "The soup at the station was better than expected.",
  "A grey cat sat on the wall and watched the road.",
]

const foreign = [
  "Il pleut depuis ce matin.",
  "Mañana compraremos pan fresco.",
  "Domani il treno parte presto.",
  "Morgen blijft de winkel dicht.",
  "Jutro będzie zimno.",
]

/** A polite sentence without content, added to the question. @public */
export function fillerSentence(options: AddedSentenceOptions = {}): Perturbation {
  checkOptions("perturb.fillerSentence", options)
  return addedSentence("filler-sentence", filler, options)
}

/** A plausible sentence about something else, added to the question. @public */
export function distractorSentence(options: AddedSentenceOptions = {}): Perturbation {
  checkOptions("perturb.distractorSentence", options)
  return addedSentence("distractor-sentence", distractors, options)
}

/** A sentence in another language, added to the question. @public */
export function foreignSentence(options: AddedSentenceOptions = {}): Perturbation {
  checkOptions("perturb.foreignSentence", options)
  return addedSentence("foreign-sentence", foreign, options)
}

function addedSentence(kind: string, stock: readonly string[], options: AddedSentenceOptions): Perturbation {
  const { name = kind, sentences = stock, place = "before" } = options
  const draw = (random: Random) => sentences[random.integer(sentences.length)] as string
  return textPerturbation({
    name,
    identity: { kind, sentences, place },
    change(text, random) {
      if (sentences.length === 0) return text
      return place === "before" ? `${draw(random)} ${text}` : `${text} ${draw(random)}`
    },
  })
}
