// The evaluation whose outputs are frozen: answers, times, usage and failures are computed from their numbers alone.
import {
  chrf,
  contains,
  defineConfig,
  exactMatch,
  expectedCalibrationError,
  fromFunction,
  groupAccuracy,
  inline,
  type JsonObject,
  panel,
  passHatK,
  recorded,
  refusal,
  riskCoverage,
  rubric,
  rubrics,
  selfAgreement,
  tokenF1,
  variant,
} from "evalkit"
import type { RecordedRow } from "evalkit/providers"

const count = 60
const repeats = 2
const topics = ["capitals", "rivers", "dates", "colours"]
/** A number of 0..1 that depends on the two alone. */
function draw(number: number, purpose: number): number {
  let state = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32
}

const questions: readonly JsonObject[] = Array.from({ length: count }, (_, i) => ({
  id: `q${String(i).padStart(2, "0")}`,
  input: `Question ${i} about ${topics[i % 4]}${i % 3 === 0 ? ", with a sentence more that makes it a long one" : ""}?`,
  reference: `the answer ${i}`,
  topic: topics[i % 4] as string,
  group: i % 2 === 0 ? "north" : "south",
  cluster: `passage ${Math.floor(i / 2)}`,
  ...(i % 20 === 7 && { critical: true }),
}))

interface Model {
  readonly seed: number
  readonly share: number
  readonly firstMs: number
  readonly tokenMs: number
  readonly failures: Readonly<Record<number, Partial<RecordedRow>>>
}

const models = {
  today: { seed: 10, share: 0.9, firstMs: 240, tokenMs: 22, failures: { 31: { outcome: "length" } } },
  small: {
    seed: 20,
    share: 0.86,
    firstMs: 120,
    tokenMs: 9,
    failures: {
      11: { outcome: "http_5xx", text: "", httpStatus: 503, failure: { message: "the service is overloaded" } },
      23: { outcome: "timeout_total", text: "the answer", failure: { message: "no end after 300 s" } },
      40: { text: "I'm sorry, but I can't help with that." },
    },
  },
  own: {
    seed: 30,
    share: 0.7,
    firstMs: 60,
    tokenMs: 14,
    failures: {
      5: { outcome: "connection", text: "", failure: { message: "connect ECONNREFUSED", code: "ECONNREFUSED" } },
    },
  },
} satisfies Record<string, Model>

function answer({ seed, share, firstMs, tokenMs, failures }: Model, i: number, repeat: number): RecordedRow {
  const number = i * repeats + repeat
  const isRight = i % 20 === 7 && seed === 20 ? false : 0.8 * draw(i, seed) + 0.2 * draw(number, seed + 1) < share
  const words = isRight ? ["the", "answer", String(i)] : ["the", "other", "answer", String(i + 1)]
  const start = firstMs * (0.7 + 0.8 * draw(number, seed + 2) ** 3)
  const events = words.map((word, k) => ({
    atMs: Math.round(10 * (start + k * tokenMs * (0.8 + 0.4 * draw(number * 8 + k, seed + 3)))) / 10,
    kind: "content" as const,
    tokens: 1,
    bytes: word.length,
  }))
  const sure = isRight ? 0.75 + 0.24 * draw(number, seed + 4) : 0.4 + 0.5 * draw(number, seed + 4)
  return {
    id: questions[i]?.id as string,
    repeat,
    text: words.join(" "),
    finishReason: "stop",
    logprobs: words.map((token) => ({
      token,
      logprob: Math.log(sure) / 2,
      top: [
        { token, logprob: Math.log(sure) / 2 },
        { token: "none", logprob: Math.log(1 - sure) },
      ],
    })),
    usage: {
      promptTokens: 20 + (i % 3 === 0 ? 12 : 0),
      cachedPromptTokens: i % 5 === 0 ? 16 : 0,
      completionTokens: words.length,
      reasoningTokens: 0,
    },
    log: { scheduledMs: 0, sendMs: 1, headersMs: 0.5 * start, events, endMs: events.at(-1)?.atMs ?? start },
    servedModel: `model-${seed}`,
    httpStatus: 200,
    ...failures[i],
  }
}

const answers = (name: keyof typeof models, lost = 0) => {
  const model: Model = { ...models[name], share: models[name].share - lost }
  const rows = questions.flatMap((_, i) => Array.from({ length: repeats }, (_, repeat) => answer(model, i, repeat)))
  return recorded(rows, { model: `model-${name}` })
}

/** Finds right what holds the reference; one in eleven verdicts is another. */
const judge = (name: string, salt: number) =>
  fromFunction(
    ({ messages }) => {
      const text = messages.at(-1)?.content ?? ""
      const number = Number(/the answer (\d+)/.exec(text)?.[1] ?? 0)
      const isRight = (text.match(new RegExp(`the answer ${number}\\b`, "g")) ?? []).length > 1
      const verdict = isRight === draw(number, salt) > 0.09 ? "yes" : "no"
      return { text: JSON.stringify({ reason: "compared with the reference", verdict }), costUsd: 0.0002 }
    },
    { name },
  )

const facts = { source: "made up for a test", date: "2026-01-02" }

// A function: it is called anew for each command, and later runs set how many answers the candidate has lost.
export default defineConfig(() => ({
  name: "frozen outputs",
  dataset: inline(questions),
  variants: [
    variant({
      name: "today",
      provider: answers("today"),
      price: { kind: "tokens", inputPerMillion: 2.5, cachedInputPerMillion: 1.25, outputPerMillion: 10, ...facts },
    }),
    variant({
      name: "small",
      provider: answers("small", Number(process.env.OUTPUTS_DRIFT ?? 0)),
      price: { kind: "tokens", inputPerMillion: 0.4, cachedInputPerMillion: 0.1, outputPerMillion: 1.6, ...facts },
    }),
    variant({
      name: "own",
      provider: answers("own"),
      price: { kind: "hourly", usdPerHour: 2, instances: 1, utilisation: 0.5, ...facts },
    }),
  ],
  metrics: [
    exactMatch(),
    contains(),
    tokenF1(),
    chrf(),
    expectedCalibrationError(),
    riskCoverage(),
    groupAccuracy(),
    selfAgreement(),
    passHatK({ k: 2 }),
    refusal(),
    panel(
      [judge("first judge", 91), judge("second judge", 92)].map((provider) =>
        rubric({ provider, rubric: rubrics.correctness }),
      ),
      { name: "judged" },
    ),
  ],
  repeats,
  margin: 0.05,
  constraints: ["p95 TTFT < 300 ms", "cost < 0.2 USD per 1,000"],
  gate: [
    { figure: "exactMatch", notWorseThanBaselineBy: 0.1 },
    { figure: "exactMatch", min: 0.6 },
    { figure: "ttftMs.p95", max: 500 },
    { figure: "availability", min: 0.99 },
  ],
  energy: { usdPerKwh: 0.31, gramsCo2PerKwh: 380, source: "made up for a test" },
  critical: { topic: "dates" },
  concurrency: 1,
  retry: { retries: 1, baseDelayMs: 1, maxDelayMs: 2 },
}))
