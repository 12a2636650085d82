import type { Generation, TokenLogprob } from "../../../src/core/generation.ts"
import type { Outcome } from "../../../src/core/outcome.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { Highlight, ReportAnswer, ReportSample } from "../../../src/core/report/report-sample.ts"
import type { StreamEvent } from "../../../src/core/request-log.ts"
import type { Sample } from "../../../src/core/sample.ts"

/** What a synthetic variant is like. */
export interface SyntheticVariant {
  readonly name: string
  readonly model: string
  readonly quantization: string | null
  readonly accuracy: number
  readonly ttftMs: number
  readonly perTokenMs: number
  readonly sizeBytes: number
  readonly usdPerThousand: number | null
  readonly failureRate: number
}

export const syntheticVariants: readonly SyntheticVariant[] = [
  variant("m-f16", "tiny-m", "F16", 0.846, 1.4, 0.34, 4_100_000, 0.011, 0),
  variant("m-q8_0", "tiny-m", "Q8_0", 0.845, 1.2, 0.32, 2_200_000, 0.0094, 0),
  variant("m-q4_0", "tiny-m", "Q4_0", 0.812, 1.1, 0.3, 1_300_000, 0.0087, 0.002),
  variant("s-q8_0", "tiny-s", "Q8_0", 0.701, 0.9, 0.25, 900_000, 0.0079, 0),
  variant("m-q2_0", "tiny-m", "Q2_0", 0.552, 8.7, 1.02, 600_000, 0.034, 0.004),
  variant("hosted-70b", "big-70b", null, 0.93, 212, 9.4, 0, null, 0.021),
]

function variant(
  name: string,
  model: string,
  quantization: string | null,
  accuracy: number,
  ttftMs: number,
  perTokenMs: number,
  sizeBytes: number,
  usdPerThousand: number | null,
  failureRate: number,
): SyntheticVariant {
  return { name, model, quantization, accuracy, ttftMs, perTokenMs, sizeBytes, usdPerThousand, failureRate }
}

const groups = ["arithmetic", "spelling", "facts"] as const
const words = "the river of a small town runs north past seven mills and two bridges before it meets the sea".split(" ")

/** The sample at a position and the answers of every variant to it: the same for the same seed, whatever was asked before. */
export function syntheticSample(
  seed: number,
  position: number,
  variants: readonly SyntheticVariant[],
  detail: boolean,
): ReportSample {
  const random = createRandom(`${seed}/${position}`)
  const group = groups[position % groups.length] as string
  const difficulty = random.next()
  const reference = `${words[random.integer(words.length)]} ${random.integer(90) + 10}`
  const sample: Sample = {
    id: `sample-${String(position).padStart(5, "0")}`,
    input: `${group}: what comes after "${words[random.integer(words.length)]}" in row ${random.integer(900)}? Answer in a few words.`,
    references: [reference],
    context: [],
    choices: [],
    expectedTools: [],
    group,
    cluster: `passage-${Math.floor(position / 3)}`,
    metadata: {},
  }
  const answers = variants.map((entry, index) =>
    answer(sample, entry, index, position, difficulty, reference, detail, seed),
  )
  return { sample, answers }
}

function answer(
  sample: Sample,
  entry: SyntheticVariant,
  index: number,
  position: number,
  difficulty: number,
  reference: string,
  detail: boolean,
  seed: number,
): ReportAnswer {
  const random = createRandom(`${seed}/${position}/${entry.model}`)
  const own = createRandom(`${seed}/${position}/${entry.name}`)
  const correct = 0.97 * difficulty + 0.03 * own.next() < entry.accuracy
  const failed = own.next() < entry.failureRate
  const outcome: Outcome = failed ? (own.next() < 0.5 ? "http_5xx" : "timeout_total") : "ok"
  const tail = correct ? reference : `${words[random.integer(words.length)]} ${random.integer(90) + 10}`
  const filler = Array.from({ length: 2 + random.integer(6) }, () => words[random.integer(words.length)]).join(" ")
  const text = failed ? "" : `${filler} ${tail}`
  const tokens = text.split(" ").filter(Boolean)
  const slow = own.next() > 0.985 ? 2.4 : 1
  const ttftMs = entry.ttftMs * slow * Math.exp(0.22 * own.normal())
  const sendMs = position * 3.1 + index * 0.4
  const events: StreamEvent[] = []
  let at = sendMs + ttftMs
  for (const token of tokens) {
    events.push({ atMs: at, kind: "content", tokens: 1, bytes: token.length })
    at += entry.perTokenMs * Math.exp(0.3 * own.normal())
  }
  events.push({ atMs: at, kind: "done", tokens: null, bytes: 0 })
  const usd = entry.usdPerThousand === null ? null : (entry.usdPerThousand / 1000) * (0.7 + 0.6 * own.next())
  const logprobs: TokenLogprob[] | null =
    detail && entry.model !== "big-70b"
      ? tokens.map((token) => ({
          token: `${token} `,
          logprob: -Math.abs(own.normal()) * (correct ? 0.3 : 1.1),
          top: [{ token, logprob: -0.2 }],
        }))
      : null
  const generation: Generation = {
    variant: entry.name,
    sampleId: sample.id,
    repeat: 0,
    source: "measured",
    segment: 0,
    position: position * 10 + index,
    outcome,
    text,
    reasoning: "",
    toolCalls: [],
    logprobs,
    finishReason: failed ? null : "stop",
    usage: {
      promptTokens: 24,
      cachedPromptTokens: null,
      completionTokens: tokens.length,
      reasoningTokens: null,
    },
    log: { scheduledMs: sendMs, sendMs, connectMs: null, headersMs: sendMs + 0.4, events, endMs: at },
    httpStatus: failed ? 503 : 200,
    failure: failed ? { message: "upstream is overloaded", code: "overloaded" } : null,
    servedModel: entry.model,
    server: null,
    retries: [],
    cost:
      usd === null
        ? { status: "unknown", reason: "no price is known" }
        : { status: "known", usd, parts: { hardware: usd } },
  }
  const exact = failed ? 0 : Number(correct)
  const overlap = correct ? 60 + 30 * random.next() : 20 + 30 * random.next()
  return {
    generation,
    values: { exact_match: exact, chrf: failed ? null : overlap, expected_calibration_error: null },
    reasons: failed ? { chrf: "empty_output" } : {},
    ...(!correct && !failed && { highlights: [unsupported(text, tail)] }),
    ...(position % 9 === 4 && index === 1 && { disputed: ["chrf"] }),
  }
}

/** The wrong end of an answer, as a detector would mark it. */
function unsupported(text: string, tail: string): Highlight {
  const reason = `no passage says "${tail}"`
  return { kind: "unsupported", metric: "exact_match", start: text.length - tail.length, length: tail.length, reason }
}
