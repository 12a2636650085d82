import type { Generation } from "../../src/core/generation.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import type { Sample } from "../../src/core/sample.ts"
import * as evalkit from "../../src/index.ts"
import * as metrics from "../../src/metrics.ts"
import { answerOf } from "../metrics/lexical-fixtures.ts"

/** One answer of an example, and the sample that it answers. */
export interface WorkedAnswer {
  readonly sample: Partial<Sample>
  readonly generation: Generation
}

/** An example of a doc comment whose first lines state the answers in a form that can be read. */
export interface WorkedExample {
  readonly metric: Metric<unknown>
  readonly answers: readonly WorkedAnswer[]
  readonly expected: number
  /** Half of the last digit that is printed. */
  readonly tolerance: number
}

const scope: Readonly<Record<string, unknown>> = { ...metrics, ...evalkit }

/** Metrics that a run gives its own embedder to where the config names none. */
const embedded = /^(bertScore|embeddingSimilarity|moverScore|wordMoversDistance|answerRelevancy|contextRelevancy)\(\)/

/** A value written as JavaScript, from the project's own doc comments. */
function evaluated(code: string): unknown {
  return new Function(...Object.keys(scope), `return (${code})`)(...Object.values(scope))
}

const literal = /("(?:[^"\\]|\\.)*"(?:\.repeat\(\d+\))?|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\{[^}]*\})/
const field = new RegExp(
  `(input|outputs?|references?|context|choices|repeats|\\w+Ids|keyFacts|metadata\\.\\w+|expectedSteps|expected|made) ((?:${literal.source}|\\d+)(?:(?:, | and )${literal.source})*)`,
  "g",
)

/** Reads an example; null where its figures are told in prose. */
export function readExample(code: string): WorkedExample | null {
  const lines = code.split("\n")
  const stated = lines.filter((line) => line.startsWith("//")).join(" ")
  const call = lines.filter((line) => !line.startsWith("//")).join("\n")
  const [, expression = "", said = ""] = /^([\s\S]*?\)) \/\/ (.*)$/m.exec(call) ?? []
  const number = /(?:^|= )([−-]?\d+(?:\.\d+)?)(?:\/(\d+))?(?=$|[:;, (])/.exec(said)
  const answers = answersOf(stated)
  // What a judge says, and calls of tools, are told in words.
  if (number === null || answers === null || /provider:|expectedSteps|made \[/.test(code)) return null
  const [, digits = "", divisor = "1"] = number
  return {
    metric: evaluated(expression.replace(embedded, "$1({ embedder: transformers() })")) as Metric<unknown>,
    answers,
    expected: Number(digits.replace("−", "-")) / Number(divisor),
    tolerance:
      divisor === "1" ? 0.51 * 10 ** -(digits.split(".")[1]?.length ?? 0) * (digits.includes(".") ? 1 : 1e-6) : 1e-9,
  }
}

function answersOf(stated: string): WorkedAnswer[] | null {
  const confidences = confidencesOf(stated)
  if (confidences) return confidences
  const values = new Map(Array.from(stated.matchAll(field), ([, name = "", text = ""]) => [name, text] as const))
  if (values.size === 0) return null
  const value = (name: string) => (values.has(name) ? evaluated(values.get(name) as string) : undefined)
  const many = (name: string) =>
    [...(values.get(name) ?? "").matchAll(new RegExp(literal, "g"))].map(([text]) => String(evaluated(text)))
  const metadata = Object.fromEntries(
    [...values].flatMap(([name, text]) =>
      /^metadata\.|Ids$|^keyFacts$|^expectedSteps$/.test(name)
        ? [[name.replace("metadata.", ""), evaluated(text)]]
        : [],
    ),
  )
  const reference = value("reference")
  const sample = {
    input: (value("input") as string | undefined) ?? null,
    references: (value("references") as string[] | undefined) ?? (reference === undefined ? [] : [String(reference)]),
    context: (value("context") as string[] | undefined) ?? [],
    choices: (value("choices") as string[] | undefined) ?? [],
    metadata,
  } as Partial<Sample>
  if (values.has("outputs"))
    return many("outputs").map((text, i) => ({ sample: { ...sample, id: `s${i}` }, generation: answerOf(text) }))
  if (values.has("repeats"))
    return many("repeats").map((text, repeat) => ({ sample, generation: { ...answerOf(text), repeat } }))
  return [{ sample, generation: answerOf(String(value("output") ?? "")) }]
}

/** "confidences 0.9 (right) and 0.6 (wrong)", "right: 0.9 and 0.5; wrong: 0.6", "confidences 0.9 and 0.8, both right". */
function confidencesOf(stated: string): WorkedAnswer[] | null {
  const answer = (confidence: string, correct: boolean, i: number): WorkedAnswer => ({
    sample: { id: `s${i}` },
    generation: { ...answerOf("x"), given: { confidence: Number(confidence), correct: Number(correct) } },
  })
  const marked = [...stated.matchAll(/(0\.\d+) \((right|wrong)\)/g)]
  if (marked.length > 0) return marked.map(([, value = "", word], i) => answer(value, word === "right", i))
  const lists = /right: ([\d. and]+); wrong: ([\d. and]+)/.exec(stated)
  const numbers = (text = "") => text.match(/0\.\d+/g) ?? []
  if (lists)
    return [
      ...numbers(lists[1]).map((value) => [value, true] as const),
      ...numbers(lists[2]).map((value) => [value, false] as const),
    ].map(([value, correct], i) => answer(value, correct, i))
  const both = /confidences (0\.\d+) and (0\.\d+), both right/.exec(stated)
  return both ? [answer(both[1] ?? "", true, 0), answer(both[2] ?? "", true, 1)] : null
}
