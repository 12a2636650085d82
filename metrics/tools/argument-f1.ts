import type { JsonValue } from "../../src/core/json.ts"
import type { ToolCall } from "../../src/core/message.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { signature } from "../text/signature.ts"
import { expectedCalls, madeCalls, type TurnOptions } from "./tool-calls.ts"

/** Options of {@link argumentF1}. @public */
export interface ArgumentF1Options extends TurnOptions {
  readonly name?: string
}

/** Leaves of one call's arguments that are read, at most. */
const maxLeaves = 10_000

/**
 * Argument F1: the harmonic mean of precision and recall over the single arguments of all calls. Each value inside the
 * arguments counts with its path, and each call's name as one more; made calls are paired with expected ones of the same
 * name so that they share as much as possible.
 *
 * Shows how close a wrong call was, which {@link toolCorrectness} does not; ignores order. Range 0..1, higher is
 * better; the summary is the mean. Unscored: `no_expected_tools`.
 *
 * Misleads where an argument may be written in several ways. Source: evalkit's own definition.
 *
 * @example
 * // expected search({ q: "a", limit: 5 }), made search({ q: "a", limit: 9 }): name and q of three are shared
 * argumentF1() // 0.6667
 * @public
 */
export function argumentF1(options: ArgumentF1Options = {}): Metric<number> {
  checkOptions("argumentF1", options)
  const { name = "argumentF1" } = options
  return meanMetric({
    name,
    signature: signature("argumentF1", { turns: options.turns ?? "answer" }),
    unit: "share",
    measure(sample, generation) {
      const expected = expectedCalls(sample)
      if ("status" in expected) return expected
      const reference = expected.map(leavesOf)
      const made = madeCalls(sample, generation, options).map(leavesOf)
      const size = (calls: readonly Call[]) => calls.reduce((sum, { leaves }) => sum + leaves.size + 1, 0)
      const all = size(reference) + size(made)
      return all === 0 ? 1 : (2 * sharedLeaves(reference, made)) / all
    },
  })
}

interface Call {
  readonly name: string
  readonly leaves: ReadonlySet<string>
}

/** Pairs calls of one name, those that share most first, and adds up what the pairs share. */
function sharedLeaves(expected: readonly Call[], made: readonly Call[]): number {
  const pairs = expected.flatMap((call, i) =>
    made.flatMap((other, j) =>
      call.name === other.name ? [{ i, j, shared: 1 + common(call.leaves, other.leaves) }] : [],
    ),
  )
  const [usedWanted, usedMade] = [new Set<number>(), new Set<number>()]
  let total = 0
  for (const { i, j, shared } of pairs.sort((a, b) => b.shared - a.shared)) {
    if (usedWanted.has(i) || usedMade.has(j)) continue
    usedWanted.add(i)
    usedMade.add(j)
    total += shared
  }
  return total
}

function common(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  let shared = 0
  for (const leaf of first) if (second.has(leaf)) shared++
  return shared
}

/** Values with their paths. Walks with a list of its own, so that no nesting is too deep. */
function leavesOf({ name, arguments: value }: ToolCall): Call {
  const leaves = new Set<string>()
  const open: { readonly path: readonly string[]; readonly value: JsonValue }[] = [{ path: [], value }]
  for (let at = open.pop(); at !== undefined && leaves.size < maxLeaves; at = open.pop()) {
    const { path, value: part } = at
    const members = typeof part === "object" && part !== null ? Object.entries(part) : []
    if (members.length === 0 && path.length > 0) leaves.add(JSON.stringify([path, part]))
    if (path.length < 100) for (const [key, member] of members) open.push({ path: [...path, key], value: member })
  }
  return { name, leaves }
}
