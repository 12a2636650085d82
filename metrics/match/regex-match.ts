import { createContext, Script } from "node:vm"
import { UsageError } from "../../src/core/errors.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link regexMatch}. @public */
export interface RegexMatchOptions {
  readonly name?: string
  readonly pattern: RegExp | string
  /** Flags where the pattern is a text; `u` by default. */
  readonly flags?: string
  /** Number or name of a group that must equal a reference (white space at its ends ignored); without it, a match is enough. */
  readonly group?: number | string
  /** Characters of the answer that are searched; 100,000 by default. */
  readonly maxCharacters?: number
  /** Time that one answer may take before it is unscored, in milliseconds; 1,000 by default. */
  readonly timeoutMs?: number
}

/**
 * Regular expression match: 1 when the pattern matches the answer (or its group equals a reference), else 0; the summary is the
 * share.
 *
 * A pattern such as `(a+)+$` can take exponential time on a short text: each search is stopped after `timeoutMs`, and only
 * the first `maxCharacters` are searched. Both are in the signature.
 *
 * Range 0..1, higher is better. Cost: the pattern's, and 0.1 ms to guard it. Unscored: `regex_timeout`; with a group: `no_reference`.
 *
 * Misleads where a pattern also fits wrong answers: try it on some of both. Source: the pattern that you write.
 *
 * @throws UsageError when the pattern is not a regular expression
 * @example
 * // output "Answer: 42"
 * regexMatch({ pattern: /answer:\s*\d+/i }) // 1
 * @public
 */
export function regexMatch(options: RegexMatchOptions): Metric<number> {
  checkOptions("regexMatch", options)
  const { name = "regexMatch", group, maxCharacters = 100_000, timeoutMs = 1_000 } = options
  const pattern = compile(options)
  const search = guardedSearch(pattern, timeoutMs)
  return meanMetric({
    name,
    signature: signature("regexMatch", {
      pattern: JSON.stringify(String(pattern)),
      group: group ?? "no",
      chars: maxCharacters,
      timeout: timeoutMs,
    }),
    unit: "share",
    measure(sample, generation) {
      const references = group === undefined ? [] : referencesOf(sample)
      if (isUnscored(references)) return references
      const match = search(generation.text.slice(0, maxCharacters))
      if (match === "timeout") return unscored("regex_timeout", `the pattern took more than ${timeoutMs} ms`)
      if (match === null || group === undefined) return Number(match !== null)
      const part = (typeof group === "number" ? match[group] : match.groups?.[group])?.trim()
      return Number(references.some((reference) => reference.trim() === part))
    },
  })
}

function compile({ pattern, flags = "u" }: RegexMatchOptions): RegExp {
  try {
    // A flag that keeps a position between searches would make results depend on the order of samples.
    return typeof pattern === "string"
      ? new RegExp(pattern, flags.replace(/[gy]/g, ""))
      : new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""))
  } catch (error) {
    throw new UsageError(
      `the pattern is not a regular expression (${error instanceof Error ? error.message : error})`,
      {
        where: "regexMatch({ pattern })",
        cause: error,
      },
    )
  }
}

/** A search that the engine can stop: only code in a `vm` context has a time limit. Nothing of the text is ever run as code. */
function guardedSearch(pattern: RegExp, timeoutMs: number): (text: string) => RegExpExecArray | null | "timeout" {
  const scope: { pattern: RegExp; text: string } = { pattern, text: "" }
  const context = createContext(scope)
  const script = new Script("pattern.exec(text)")
  return (text) => {
    scope.text = text
    try {
      return script.runInContext(context, { timeout: timeoutMs }) as RegExpExecArray | null
    } catch (error) {
      // Not `instanceof Error`: the error may come from the context.
      if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "timeout"
      throw error
    }
  }
}
