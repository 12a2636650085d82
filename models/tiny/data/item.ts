import type { JsonObject } from "../../../src/core/json.ts"
import type { ToolCall } from "../../../src/core/message.ts"
import type { Random } from "../../../src/core/random.ts"

/** One question with its answer, before it is known whether it trains or tests. */
export interface Item {
  readonly task: string
  readonly prompt: string
  readonly answer: string
  /**
   * What the item is about, free of wording: `add:17+45`, `fact:Anna/city/Oslo`. The first is what is asked.
   * Items are split by these, see {@link isTraining} and {@link isEvaluation}.
   */
  readonly keys: readonly [string, ...string[]]
  readonly context?: string
  readonly choices?: readonly string[]
  readonly expectedTools?: readonly ToolCall[]
  readonly group?: string
  readonly cluster?: string
  readonly label?: string
  /** The answer that training sees instead, where the world of the models is not as it should be (planted, noise). */
  readonly trainingAnswer?: string
  readonly extra?: JsonObject
}

/** Draws one item of a task. */
export type Generator = (random: Random) => Item

/** One element, each equally likely. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(list.length)] as T
}

/** `count` different elements in random order. */
export function draw<T>(random: Random, list: readonly T[], count: number): T[] {
  return random.shuffle(list).slice(0, count)
}

/** True with probability `p`. */
export function chance(random: Random, p: number): boolean {
  return random.next() < p
}

/** A whole number, both ends included. */
export function between(random: Random, least: number, most: number): number {
  return least + random.integer(most - least + 1)
}

/** The text with its first letter in upper case. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `template` with `{}` filled in order. */
export function fill(template: string, ...values: readonly (string | number)[]): string {
  let next = 0
  return template.replaceAll("{}", () => String(values[next++]))
}
