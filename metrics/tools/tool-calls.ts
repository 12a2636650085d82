import type { Generation } from "../../src/core/generation.ts"
import type { ToolCall } from "../../src/core/message.ts"
import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import { type Sample, statesEmpty } from "../../src/core/sample.ts"

/** Which turns' calls count. @public */
export interface TurnOptions {
  /** `answer` (default): the calls of the answer. `conversation`: those of earlier assistant turns in the input, too. */
  readonly turns?: "answer" | "conversation"
}

/** The calls that the model made. */
export function madeCalls(
  sample: Sample,
  generation: Generation,
  { turns = "answer" }: TurnOptions,
): readonly ToolCall[] {
  if (turns === "answer" || sample.input === null || typeof sample.input === "string") return generation.toolCalls
  const earlier = sample.input.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
  return [...earlier, ...generation.toolCalls]
}

/** The calls that were expected, none where the sample states `expectedTools: []`; or why there is nothing to compare with. */
export function expectedCalls(sample: Sample): readonly ToolCall[] | Unscored {
  return sample.expectedTools.length > 0 || statesEmpty(sample, "expectedTools")
    ? sample.expectedTools
    : unscored("no_expected_tools", "the sample names no calls")
}

/** How expected and made calls were paired. @public */
export interface Pairing {
  readonly matched: number
  readonly missing: readonly string[]
  readonly extra: readonly string[]
  /** Whether the matches can be made in the expected order. */
  readonly inOrder: boolean
}

/**
 * Pairs each expected call with a made one that it equals. Order does not matter for the pairs; `inOrder` says whether
 * all expected calls also occur in their order.
 *
 * @param same whether a made call is the expected one; it must treat equal calls the same
 */
export function pairCalls(
  expected: readonly ToolCall[],
  made: readonly ToolCall[],
  same: (expected: ToolCall, made: ToolCall) => boolean,
): Pairing {
  const left = [...made]
  const missing: string[] = []
  for (const call of expected) {
    const index = left.findIndex((candidate) => same(call, candidate))
    if (index < 0) missing.push(call.name)
    else left.splice(index, 1)
  }
  let next = 0
  for (const call of made) {
    const entry = expected[next]
    if (entry && same(entry, call)) next++
  }
  return {
    matched: expected.length - missing.length,
    missing,
    extra: left.map(({ name }) => name),
    inOrder: next === expected.length,
  }
}
