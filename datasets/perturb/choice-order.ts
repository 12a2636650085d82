import { checkOptions } from "../../src/core/options.ts"
import type { Random } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"
import type { Perturbation } from "./perturbation.ts"

/**
 * The options of a multiple-choice question in another order. References that are letters (A, B, C …) change with
 * their option; references that are texts stay. Prompts must be made from the sample's choices.
 * @public
 */
export function choiceOrder(options: { readonly name?: string } = {}): Perturbation {
  checkOptions("perturb.choiceOrder", options)
  const { name = "choice-order" } = options
  return { name, identity: { name }, preservesMeaning: true, apply: reorder }
}

function reorder(sample: Sample, random: Random): Sample | null {
  const { choices } = sample
  if (choices.length < 2) return null
  let order = random.shuffle(choices.map((_, i) => i))
  if (order.every((from, to) => from === to)) order = [...order.slice(1), order[0] as number]
  const letter = (i: number) => String.fromCharCode(65 + i)
  const moved = new Map(order.map((from, to) => [letter(from), letter(to)]))
  return {
    ...sample,
    choices: order.map((from) => choices[from] as string),
    references: sample.references.map((reference) => moved.get(reference.trim().toUpperCase()) ?? reference),
    ...(typeof sample.label === "string" && moved.has(sample.label) && { label: moved.get(sample.label) as string }),
  }
}
