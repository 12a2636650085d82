import type { Generation, StagePassage } from "../../src/core/generation.ts"
import { mediaOf } from "../../src/core/media/message-parts.ts"
import { describePart, type MediaPart } from "../../src/core/media/part.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import type { ReportAnswer, ReportSample } from "../../src/core/report/report-sample.ts"
import type { Sample } from "../../src/core/sample.ts"
import { stageMilliseconds } from "../../src/perf/stage-times.ts"
import { episodeThread, withCalls } from "../wording/episode-thread.ts"
import type { PageLimits } from "./limits.ts"
import type { AnswerText, SampleText, ShownMedia } from "./payload.ts"

/** Positions of names, by which the page's texts refer to variants and metrics. */
export interface Positions {
  readonly variants: ReadonlyMap<string, number>
  readonly metrics: ReadonlyMap<string, number>
}

/**
 * The texts of a sample as the page holds them, cut at the limits.
 * @param show what the page shows of a picture or a recording
 */
export function sampleText(
  reportSample: ReportSample,
  positions: Positions,
  limits: PageLimits,
  show: (part: MediaPart) => ShownMedia = (part) => ({ label: describePart(part) }),
): SampleText {
  const { input, references, context } = reportSample.sample
  const turns: readonly Pick<ChatMessage, "content" | "parts" | "toolCalls">[] =
    typeof input === "string" ? [{ content: input }] : (input ?? [])
  const cut = (text: string) => cutText(text, limits.text)
  return {
    input: turns.map((turn) => {
      const media = mediaOf(turn).map(show)
      const role = "role" in turn ? String(turn.role) : "input"
      return { role, text: cut(withCalls(turn.content, turn.toolCalls)), ...(media.length > 0 && { media }) }
    }),
    references: references.slice(0, 20).map(cut),
    context: context.slice(0, 20).map(cut),
    answers: reportSample.answers.map((answer) => answerText(answer, reportSample.sample, positions, limits)),
  }
}

/**
 * A text cut at a number of characters, never inside a surrogate pair.
 *
 * @example cutText("abcdef", 4) // "abcd…"
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = /[\ud800-\udbff]/.test(text[limit - 1] as string) ? limit - 1 : limit
  return `${text.slice(0, end)}\u2026`
}

/** Whether any text of a sample is longer than a page keeps. */
export function isCut({ sample, answers }: ReportSample, limits: PageLimits): boolean {
  const turns = typeof sample.input === "string" ? [sample.input] : (sample.input ?? []).map((turn) => turn.content)
  const said = answers.flatMap(({ generation, reasons }) => [
    generation.text,
    generation.reasoning,
    ...(generation.returned?.passages ?? []),
    ...Object.values(generation.returned?.stages ?? {}).flatMap(({ passages }) => passages.map(passageText)),
    ...(generation.episode ? episodeThread(generation.episode, sample).map(({ text }) => text) : []),
    ...Object.values(reasons),
  ])
  return [...turns, ...sample.references, ...sample.context, ...said].some((text) => text.length > limits.text)
}

function answerText(answer: ReportAnswer, sample: Sample, positions: Positions, limits: PageLimits): AnswerText {
  const { generation, reasons } = answer
  const { log, logprobs } = generation
  const cut = (text: string) => cutText(text, limits.text)
  const kept = limits.details
  const arrivals =
    kept > 0 ? log.events.filter((event) => event.bytes > 0 || event.kind === "error").slice(0, kept) : []
  const highlights = (answer.highlights ?? []).filter(({ start, length }) => start + length <= limits.text)
  const why = Object.entries(reasons).filter(([, reason]) => reason !== "")
  const ending = generation.isGivenText ? "given text" : generation.finishReason
  return {
    variant: positions.variants.get(generation.variant) ?? -1,
    repeat: generation.repeat,
    source: generation.source,
    text: cut(generation.text),
    ...(generation.reasoning && { reasoning: cut(generation.reasoning) }),
    ...(generation.toolCalls.length > 0 && { tools: cut(JSON.stringify(generation.toolCalls, null, 1)) }),
    ...(generation.failure && { failure: cutText(generation.failure.message, 500) }),
    ...(ending && { finishReason: cutText(ending, 40) }),
    ...(generation.retries.length > 0 && { retries: generation.retries.length }),
    ...returnedText(generation, answer.lostAt ?? null, limits),
    ...threadText(generation, sample, limits),
    ...(why.length > 0 && { reasons: Object.fromEntries(why.map(([metric, reason]) => [metric, cut(reason)])) }),
    ...(highlights.length > 0 && {
      highlights: highlights.map(
        ({ start, length, metric, reason }) => [start, length, positions.metrics.get(metric) ?? -1, reason] as const,
      ),
    }),
    ...(kept > 0 &&
      logprobs &&
      logprobs.length > 0 && {
        logprobs: logprobs
          .slice(0, kept)
          .map((logprob) => [cutText(logprob.token, 80), rounded(logprob.logprob)] as const),
      }),
    ...(arrivals.length > 0 && {
      events: arrivals.map((event) => [rounded(event.atMs - log.sendMs), event.kind] as const),
    }),
  }
}

/** Passages of one answer that a page keeps. */
const maxPassages = 20

/** Stages of one answer that a page keeps. */
const maxStages = 20

/** A passage as it came: by its text, its id, or both. */
function passageText(passage: StagePassage): string {
  if (typeof passage === "string") return passage
  return [passage.id, passage.text].filter((part) => part !== undefined && part !== "").join(": ")
}

/** What an application gave beside its text, and how long its stages took. */
function returnedText(
  { log, returned }: Generation,
  lostAt: string | null,
  limits: PageLimits,
): Pick<AnswerText, "stages" | "stagePassages" | "passages" | "returned"> {
  const passed = Object.entries(returned?.stages ?? {}).slice(0, maxStages)
  const stages = [...stageMilliseconds(log)].map(([name, ms]) => [name, rounded(ms)] as const)
  return {
    ...(stages.length > 0 && { stages }),
    ...(passed.length > 0 && {
      stagePassages: passed.map(([name, { passages }]) => {
        const shown = passages.slice(0, maxPassages).map((passage) => cutText(passageText(passage), limits.text))
        return [cutText(name, 80), shown, passages.length, name === lostAt] as const
      }),
    }),
    ...(returned?.passages && {
      passages: returned.passages.slice(0, maxPassages).map((passage) => cutText(passage, limits.text)),
    }),
    ...(returned?.fields && { returned: cutText(JSON.stringify(returned.fields, null, 1), limits.text) }),
  }
}

/** The steps of an episode, each text cut as an answer is. */
function threadText({ episode }: Generation, sample: Sample, limits: PageLimits): Pick<AnswerText, "thread"> {
  if (!episode) return {}
  const time = (ms: number | null) => (ms === null ? null : rounded(ms))
  return {
    thread: episodeThread(episode, sample).map(
      ({ who, label, text, startMs, endMs }) =>
        [who, cutText(label, 300), cutText(text, limits.text), time(startMs), time(endMs)] as const,
    ),
  }
}

/** Three decimals are enough for the eye. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
