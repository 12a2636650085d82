import { createRandom } from "../../../src/core/random.ts"
import type { Item } from "./item.ts"

const heldOutShare = 0.1

/** True for the tenth of all meanings that no training item may touch. A pure function of the key. */
export function isHeldOut(key: string): boolean {
  let held = decisions.get(key)
  if (held === undefined) {
    held = createRandom(`split/${key}`).next() < heldOutShare
    decisions.set(key, held)
  }
  return held
}
const decisions = new Map<string, boolean>()

/** An item that may train: nothing in it is held out. */
export function isTraining(item: Item): boolean {
  return !item.keys.some(isHeldOut)
}

/** An item that may test: what it asks is held out, so that no training item is about it. */
export function isEvaluation(item: Item): boolean {
  return isHeldOut(item.keys[0])
}
