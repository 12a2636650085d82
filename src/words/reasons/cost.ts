import { count, significant } from "../number.ts"
import { levelText, percent } from "../percent.ts"

/** Why the cost of a call, or what follows from costs, is unknown. */
export const costReasons = {
  noAnswer: "no answer was made",
  noJudge: "no judge was asked",
  noTokens: "the endpoint did not report it",
  noPromptTokens: "the endpoint reported no prompt tokens",
  noCompletionTokens: "the endpoint reported no completion tokens",
  noCachedTokens: "the endpoint does not report cached prompt tokens",
  statePrice: "state its price in the config",
  noPrice: "no price is known for this model",
  paidByTime: "hardware is paid by the hour: its cost follows from throughput",
  tooLarge: "a rate of the price is too large for a cost to be a number",
  noRate: (what: string) => `no rate is stated for ${what}`,
  noFactor: (what: string, name: string) => `no factor is stated for ${what} "${name}"`,
  openAttempt: "an attempt of a call without an answer has no known cost",
  noCorrectness: "no metric says which answers are correct",
  noneCorrect: "no answer was correct",
  someUnknown: (missing: number, answers: number, reason: string) =>
    `${missing} of ${answers} answers have no known cost: ${reason}`,
  atLeast: (reason: string, usd: number) =>
    `${reason}; all answers together cost at least $${Number(usd.toPrecision(3))}`,
  noTokenCount: "no token count to allocate the hardware's price by",
  noHardwareUse: "neither the throughput nor the duration of the hardware's use is known",
  noThroughput: "the system throughput is unknown",
  noQueryTokens: "the output tokens per query are not stated",
  freeApi: "the API costs nothing per query",
  neverBreaksEven: (capacity: number, queries: number) =>
    `never: one unit serves ${count(Math.floor(capacity))} queries a month, break-even needs ${count(Math.ceil(queries))}`,
  breakEvenOpen: (served: number, queries: number) =>
    `open: break-even needs ${count(Math.ceil(queries))} queries a month, and at the load of this run one unit served ${count(Math.floor(served))}; state in its price what it carries (requestsPerSecond), as a load test finds it`,
} as const

/** How a figure of cost was made, and warnings of it. */
export const costMethods = {
  reportedTokens: "sum of reported usage",
  pricedTokens: "sum of priced usage",
  someReported: (missing: number, answers: number) => `${missing} of ${answers} answers reported none`,
  cachedShare: "cached prompt tokens / prompt tokens",
  perCorrect: (alpha: number) => `total cost / sum of correct, delta method ${levelText(alpha)}`,
  perCorrectOnHardware: (method: string) => `total cost / sum of correct; ${method}`,
  someUnscored: (unscored: number, answers: number) =>
    `${unscored} of ${answers} answers are unscored and count as not correct`,
  atThroughput: (tokensPerSecond: number, inFlight: number | null, withIdleTime: boolean) =>
    `hardware at ${significant(tokensPerSecond)} output tokens per second${inFlight === null ? "" : `, with ${significant(inFlight, 2)} in flight`}${withIdleTime ? ", its idle time at this load included once" : ""}`,
  statedCapacity: "the capacity that its price states",
  measuredCapacity: (file: string) => `the largest load within the objectives of ${file}`,
  overDuration: "hardware over the run's duration",
  charged: "what the service states that it charged",
  memberPrices: (sources: readonly string[]) => `the price of whoever answered (${sources.join("; ")})`,
  monthlyBill: (queries: number) => `cost per query × ${count(queries)} queries a month`,
  monthlyHardware: (units: number, utilisation: number, isStated: boolean) =>
    `${units} × the hardware, whole months, at ${percent(utilisation)} utilisation and ${isStated ? "the capacity that its price states" : "the throughput of this run's load"}`,
  breakEven: "hardware per month / API cost per query",
} as const

/** Why the cost of variants' calls cannot be bounded beforehand, by cause. */
export const unboundedCost = {
  sends_its_own: (names: string) => `what ${names} sends is decided by code of its own`,
  no_price: (names: string) => `no price is known of ${names}`,
  hardware: (names: string) => `${names} is paid by the hour, not by the call`,
  no_rate: (names: string) => `the price of ${names} states no rate for some of what a call may use`,
} as const

/** Classes of tokens that pay one rate, in the plural, by the part of a cost. */
export const tokenClassNames = {
  input: "prompt tokens",
  cachedInput: "cached prompt tokens",
  cacheWrite5m: "cache write tokens (5 min)",
  cacheWrite1h: "cache write tokens (1 h)",
  cacheWrite: "cache write tokens",
  audioInput: "audio tokens of the prompt",
  imageInput: "image tokens of the prompt",
  videoInput: "video tokens of the prompt",
  cachedAudioInput: "cached audio tokens of the prompt",
  cachedImageInput: "cached image tokens of the prompt",
  cachedVideoInput: "cached video tokens of the prompt",
  output: "answer tokens",
  audioOutput: "audio tokens of the answer",
  imageOutput: "image tokens of the answer",
  reasoning: "reasoning tokens",
} as const

/** What a budget limits. */
export type BudgetUnit = "usd" | "tokens" | "requests" | "minutes"

/**
 * Why a budget allows no further request.
 *
 * @param used what was spent, in the budget's unit
 * @param held what is held back for the calls of metrics
 */
export function budgetRefusal(name: BudgetUnit, limit: number, used: number, held: number): string {
  const unit = limit === 1 ? name.replace(/s$/, "") : name
  const budget = `the budget of ${name === "usd" ? `$${limit}` : `${limit} ${unit}`}`
  if (used === 0 && name !== "minutes") return `${budget} has no room for a single request`
  if (name === "minutes") return `${budget} is over`
  const print = (value: number) => (name === "usd" ? `$${value.toFixed(4)}` : `${Math.round(value)}`)
  const forMetrics = held === 0 ? "" : `, and ${print(held)} are kept for what the metrics ask`
  const verb = name === "usd" ? "might" : "would"
  return `${budget} is spent (${print(used)}${forMetrics}; the next request ${verb} pass it)`
}

/** A refusal that the calls in flight cause. */
export function besideCallsInFlight(refusal: string): string {
  return `${refusal}, beside what calls in flight may use`
}
