import type { JsonValue } from "../../src/core/json.ts"
import { withContent } from "../../src/core/media/message-parts.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Random } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"

/** A small, seeded change of a sample. @public */
export interface Perturbation {
  /** Unique within a data set; part of the ids of the changed samples. */
  readonly name: string
  /** Everything that changes its results. */
  readonly identity: JsonValue
  /** Whether a reader would give the same answer: then the references stay right. */
  readonly preservesMeaning: boolean
  /** Loads what it needs, once. */
  prepare?(): Promise<void>
  /** The changed sample with its id untouched; null when there is nothing to change. Draws only from `random`. */
  apply(sample: Sample, random: Random): Sample | null
}

/** A perturbation of the text that is asked: the input, or the last user turn. @public */
export interface TextPerturbationOptions {
  readonly name: string
  readonly identity?: JsonValue
  readonly preservesMeaning?: boolean
  prepare?(): Promise<void>
  /** The changed text; the same text where nothing can be changed. */
  change(text: string, random: Random): string
}

/** Makes a perturbation out of a change of text. @public */
export function textPerturbation(options: TextPerturbationOptions): Perturbation {
  checkOptions("perturb.textPerturbation", options)
  const { name, identity = {}, preservesMeaning = true, prepare, change } = options
  return {
    name,
    identity: { name, options: identity },
    preservesMeaning,
    ...(prepare && { prepare }),
    apply: (sample, random) => changeInput(sample, (text) => change(text, random)),
  }
}

/** The sample with its asked text changed; null when that changes nothing. */
export function changeInput(sample: Sample, change: (text: string) => string): Sample | null {
  const { input } = sample
  if (input === null) return null
  if (typeof input === "string") {
    const text = change(input)
    return text === input ? null : { ...sample, input: text }
  }
  const last = input.findLastIndex((message) => message.role === "user")
  const turn = input[last]
  if (!turn) return null
  const content = change(turn.content)
  return content === turn.content ? null : { ...sample, input: input.with(last, withContent(turn, content)) }
}
