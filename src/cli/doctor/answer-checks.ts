import { outcomeWords } from "../../../reports/wording/failure-reasons.ts"
import type { Price } from "../../core/cost.ts"
import type { Answer } from "../../core/generation.ts"
import { asList, asMembers } from "../../core/json-members.ts"
import type { GenerationParameters } from "../../core/provider.ts"
import type { StatedLimit } from "../../core/rate-limits.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { parseConstraints } from "../../estimate/constraints.ts"
import { clumpsOnTheWay, hasThinkingInText, isClumped, thinkingInText } from "../../providers/client/answer-notes.ts"
import { callReasons } from "../../words/reasons/calls.ts"
import type { DoctorCheck } from "./check.ts"

type Verdict = Pick<DoctorCheck, "status" | "message">

/** Whether an endpoint answered, and what to do where it did not. */
export function answerVerdict(answer: Answer): Verdict {
  const took = `${(answer.log.endMs - answer.log.sendMs).toFixed(0)} ms`
  switch (answer.outcome) {
    case "ok":
    case "length":
    case "length_empty":
    case "empty":
    case "thinking_only":
    case "refused":
      return { status: "ok", message: `answered in ${took}${answer.servedModel ? ` as ${answer.servedModel}` : ""}` }
    case "rate_limited":
      return isUsedUp(answer)
        ? {
            status: "failed",
            message: `the quota is used up: ${reason(answer)}; raise it, or wait until it is renewed`,
          }
        : { status: "warning", message: `reachable, but rate-limited now: ${reason(answer)}` }
    default:
      return { status: "failed", message: `${outcomeWords[answer.outcome]}: ${reason(answer)}${adviceFor(answer)}` }
  }
}

function isUsedUp({ failure }: Answer): boolean {
  return /insufficient_quota|quota|billing|credit balance/i.test(`${failure?.code ?? ""} ${failure?.message ?? ""}`)
}

function adviceFor(answer: Answer): string {
  if (answer.httpStatus === 401) return "; check the key"
  if (answer.httpStatus === 402 || (answer.httpStatus === 400 && isUsedUp(answer)))
    return "; the account has nothing left"
  if (answer.httpStatus === 403) return "; check what the key may do"
  return answer.httpStatus === 404 ? "; check the model's name and the base URL" : ""
}

function reason(answer: Answer): string {
  const status = answer.httpStatus === null ? "" : `HTTP ${answer.httpStatus}`
  const message = answer.failure?.message ?? ""
  if (message.startsWith(status)) return message || callReasons.noReason
  return `${status} ${message}`.trim()
}

/** Without these an answer is not promised to be JSON. */
const jsonParameters: ReadonlySet<string> = new Set(["response_format", "json_mode"])

/** What an answer says of the call that a run would make: what was refused, what was asked for and not given. */
export function answerFacts(
  answer: Answer,
  { topLogprobs, jsonSchema, structured, tools }: GenerationParameters,
  needs: { readonly logprobs: boolean },
): readonly DoctorCheck[] {
  const impossible = asList(asMembers(answer.server)?.unusableUsage).map(String)
  const refused = (answer.differences ?? []).map(({ parameter }) => parameter)
  const checks: (DoctorCheck | null)[] = [
    refused.length === 0
      ? null
      : {
          name: "parameters",
          status: "warning",
          message: `${refused.join(", ")}: refused by the endpoint; calls will be made without, which the report says`,
        },
    topLogprobs === undefined
      ? null
      : answer.logprobs !== null && answer.logprobs.length > 0
        ? { name: "log-probabilities", status: "ok", message: "given" }
        : {
            name: "log-probabilities",
            status: needs.logprobs ? "failed" : "warning",
            message: needs.logprobs
              ? "not given, and a metric reads them: its figures would be unknown; leave the metric out, or choose another endpoint"
              : "not given; figures from token probabilities will be unknown",
          },
    impossible.length > 0
      ? {
          name: "token counts",
          status: "warning",
          message: `${impossible.join(", ")}: what is reported cannot be true beside the answer; it will be unknown, and so will the cost`,
        }
      : answer.usage.promptTokens === null || answer.usage.completionTokens === null
        ? { name: "token counts", status: "warning", message: "not reported; tokens and cost will be unknown" }
        : null,
    jsonSchema === undefined || structured === "prompt" || refused.some((name) => jsonParameters.has(name))
      ? null
      : answer.outcome === "ok"
        ? { name: "structured output", status: "ok", message: "the answer is JSON" }
        : { name: "structured output", status: "warning", message: `not seen: ${outcomeWords[answer.outcome]}` },
    tools === undefined || tools.length === 0
      ? null
      : {
          name: "tools",
          status: "ok",
          message: answer.toolCalls[0] ? `${answer.toolCalls[0].name} was called` : "taken; none was called here",
        },
    hasThinkingInText(answer) ? { name: "thinking", status: "warning", message: thinkingInText } : null,
    isClumped(answer) ? { name: "stream", status: "warning", message: clumpsOnTheWay } : null,
    limitsOf(answer),
  ]
  return checks.filter((check) => check !== null)
}

function limitsOf({ limits }: Answer): DoctorCheck | null {
  if (!limits) return null
  const parts = Object.entries(limits).flatMap(([what, limit]) =>
    limit
      ? [`${limit.limit} ${what}${limit.remaining === null ? "" : `, ${limit.remaining} left`}${wholeIn(limit)}`]
      : [],
  )
  const isEmpty = Object.values(limits).some((limit) => limit?.remaining === 0)
  return { name: "rate limits", status: isEmpty ? "warning" : "ok", message: parts.join("; ") }
}

/** A service need not say what its limits are counted over: a minute, or a day. */
function wholeIn({ resetMs }: StatedLimit): string {
  return resetMs === null ? "" : ` (all of them in ${Number((resetMs / 1000).toPrecision(3))} s)`
}

/** What of a config cannot do without prices, as words; null: only its figures of cost would be unknown. */
export function needOfPrices({
  budget,
  gate,
  constraints,
}: Pick<Evaluation, "budget" | "gate" | "constraints">): string | null {
  if (budget.usd !== undefined) return "the budget is in dollars"
  const figures = [
    ...gate.map(({ figure }) => figure),
    ...constraints.flatMap((text) => parseConstraints(text).map(({ figure }) => figure)),
  ]
  const read = figures.find((figure) => /usd/i.test(figure))
  return read === undefined ? null : `a rule reads ${read}`
}

/**
 * Whether the cost of calls can be known.
 * @param need why the run would fail without it, as {@link needOfPrices} says it
 */
export function priceCheck(price: Price | null, need: string | null): DoctorCheck {
  if (price) return { name: "price", status: "ok", message: `${price.source}, ${price.date}` }
  const loss = need === null ? ": cost figures will be unknown" : `, and ${need}`
  return {
    name: "price",
    status: need === null ? "warning" : "failed",
    message: `unknown${loss}; state it as price: { kind: "tokens", … }`,
  }
}
