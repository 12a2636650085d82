import { turnAnswers } from "../../src/core/episode/episode.ts"
import { isToolResult } from "../../src/core/episode/tool-outcome.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { jsonValue } from "../../src/core/json-members.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inputText } from "../../src/core/sample.ts"
import { signature } from "../text/signature.ts"
import { callsMade } from "./calls-made.ts"

/** Options of {@link resultUse}. @public */
export interface ResultUseOptions {
  readonly name?: string
}

/** Values of one result that are looked for, and characters of one, at most. */
const maxValues = 1000
const maxValueLength = 200

/**
 * Use of results: of the tool results that told something new, the share of which a value came up again, in an answer of the model or in
 * the arguments of a later call. New is a number or a text of three letters or more that neither the question nor the call itself had.
 *
 * It compares letters, so that "21 degrees" uses 21 and "twenty-one" does not, and a value may come up by chance. For the other way
 * round (does the answer say what no result said?) wrap a metric of grounding in {@link onToolResults}. Range 0..1, higher is better; the
 * summary is the mean over episodes. Unscored: `no_episode`, `no_tool_calls` where no result told anything new.
 *
 * Source: evalkit's own definition.
 *
 * @example
 * // weather("Oslo") gave { degrees: 21 }, news() gave ["Election"]; answer: "It has 21 degrees."
 * resultUse() // 0.5
 * @public
 */
export function resultUse(options: ResultUseOptions = {}): Metric<number> {
  checkOptions("resultUse", options)
  const { name = "resultUse" } = options
  return meanMetric({
    name,
    signature: signature("resultUse", { values: "new" }),
    unit: "share",
    measure(sample, generation) {
      const calls = callsMade(generation)
      if ("status" in calls) return calls
      const answers = turnAnswers(generation.episode?.steps ?? []).map((answer) => answer?.text ?? "")
      const question = [inputText(sample), ...(sample.turns ?? []).map(({ content }) => content)].join("\n")
      let [informative, used] = [0, 0]
      for (const call of calls) {
        if (!isToolResult(call.outcome)) continue
        const words = wordsOf(`${question}\n${JSON.stringify(call.arguments)}`)
        const values = valuesOf(call.result).filter((value) => !words.includes(wordsOf(value)))
        if (values.length === 0) continue
        informative++
        const later = calls.filter(({ asked }) => asked > call.asked)
        const said = wordsOf([...answers, ...later.map((toolStep) => JSON.stringify(toolStep.arguments))].join("\n"))
        if (values.some((value) => said.includes(wordsOf(value)))) used++
      }
      return informative === 0 ? unscored("no_tool_calls", "no result of a tool told anything new") : used / informative
    },
  })
}

/** Words and numbers in lower case between single blanks, so that 2 is not found in 21. */
function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(/\p{L}+|\d+(?:[.,]\d+)*/gu) ?? []).join(" ")} `
}

/** The single values of a result that is JSON, or the words of one that is not. */
function valuesOf(result: string): readonly string[] {
  const values = new Set<string>()
  const open: JsonValue[] = [jsonValue(result, result)]
  for (let at = open.pop(); at !== undefined && values.size < maxValues; at = open.pop()) {
    if (typeof at === "object" && at !== null) open.push(...Object.values(at).slice(0, maxValues))
    else if (typeof at === "number") values.add(String(at))
    else if (typeof at === "string") for (const text of textsOf(at)) values.add(text)
  }
  return [...values]
}

function textsOf(text: string): readonly string[] {
  if (text.length <= maxValueLength && /\p{L}{3}/u.test(text)) return [text]
  return (text.slice(0, 20_000).match(/\p{L}{3,}|\d+(?:[.,]\d+)*/gu) ?? []).slice(0, maxValues)
}
