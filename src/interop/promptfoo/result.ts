import type { ForeignAnswer, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { canonicalJson, contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { countOf, figureOf, listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import type { Occasions } from "../occasions.ts"

/** A test that a provider answered. It is known by its variables: a test that was put in before it does not shift it. */
export function resultRecord(row: JsonObject, variant: string, where: string, occasions: Occasions): ForeignRecord {
  const vars = objectOf(row.vars) ?? objectOf(member(row.testCase, "vars")) ?? {}
  const description = textOf(member(row.testCase, "description"))
  const hasId = Object.keys(vars).length > 0 || description !== undefined
  const id = hasId
    ? contentHash(description === undefined ? vars : { vars, description }, 16)
    : `test-${textOf(row.testIdx) ?? where}`
  return {
    variant,
    sample: foreignSample({
      id,
      // What is asked is the variables: the prompt around them belongs to the variant.
      input: hasId ? canonicalJson(vars) : (textOf(member(row.prompt, "raw")) ?? null),
      metadata: { vars, ...(description !== undefined && { description }) },
    }),
    repeat: occasions.next(variant, id),
    answer: answerOf(row),
    scores: scoresOf(row),
    where,
  }
}

/** A provider by its label, or its id. */
export function providerOf(row: JsonObject): string {
  const label = textOf(member(row.provider, "label"))
  return (label === "" ? undefined : label) ?? textOf(member(row.provider, "id")) ?? textOf(row.provider) ?? "provider"
}

/** A prompt by its hash, or its template: versions 1 and 2 name it by its text (`display`), and `raw` is what a test made of it. */
export function promptOf({ promptId, prompt, promptIdx }: JsonObject): string {
  return (
    textOf(promptId) ?? textOf(member(prompt, "label")) ?? textOf(member(prompt, "display")) ?? textOf(promptIdx) ?? ""
  )
}

/** 2: the provider failed. 1: it answered, and an assertion did not hold. Versions 1 and 2 have no number. */
function isFailed({ failureReason, response, error }: JsonObject): boolean {
  return failureReason === 2 || (member(response, "output") === undefined && textOf(error) !== undefined)
}

function answerOf(row: JsonObject): ForeignAnswer {
  const output = member(row.response, "output")
  const usage = member(row.response, "tokenUsage") ?? row.tokenUsage
  const error = textOf(member(row.response, "error")) ?? textOf(row.error)
  const isCached = member(row.response, "cached") === true || (countOf(member(usage, "cached")) ?? 0) > 0
  const latency = numberOf(row.latencyMs)
  // The row's cost is 0 where the provider stated none.
  const cost = numberOf(member(row.response, "cost")) ?? (numberOf(row.cost) || undefined)
  return foreignAnswer(
    {
      text: textOf(output) ?? (output === undefined || output === null ? "" : JSON.stringify(output)),
      finishReason: textOf(member(row.response, "finishReason")) ?? null,
      failed: isFailed(row) ? (error ?? "the provider failed") : undefined,
      usage: { promptTokens: countOf(member(usage, "prompt")), completionTokens: countOf(member(usage, "completion")) },
      // A cached answer took no time of the model's, and was paid for before.
      ...(!isCached && latency !== undefined && latency > 0 && { e2eMs: latency }),
      ...(!isCached && cost !== undefined && { costUsd: cost }),
    },
    "promptfoo",
  )
}

/** Whether all assertions held, promptfoo's score, named scores, and each named or typed assertion. */
function scoresOf(row: JsonObject): Record<string, ForeignScore> {
  if (isFailed(row)) {
    const reason = `the provider failed: ${(textOf(row.error) ?? "no message").slice(0, 200)}`
    return { pass: { reason }, score: { reason } }
  }
  const scores: [string, ForeignScore][] = []
  const add = (name: string, value: JsonValue | undefined) => {
    if (value !== undefined) scores.push([name, figureOf(value) ?? { reason: "promptfoo has no number for it" }])
  }
  add("pass", row.success)
  add("score", row.score)
  const parts = listOf(member(row.gradingResult, "componentResults"))
  const met = new Map<string, number>()
  for (const part of parts) {
    const name = textOf(member(part, "assertion", "metric")) ?? textOf(member(part, "assertion", "type"))
    if (name === undefined || name === "pass" || name === "score") continue
    // Several assertions of one type: told apart by their number.
    const count = (met.get(name) ?? 0) + 1
    met.set(name, count)
    add(count === 1 ? name : `${name} (${count})`, member(part, "score"))
  }
  for (const [name, value] of Object.entries(objectOf(row.namedScores) ?? {})) add(name, value)
  return Object.fromEntries(scores)
}
