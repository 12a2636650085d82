import type { Generation, StagePassage } from "../../src/core/generation.ts"
import { asMembers, asText } from "../../src/core/json-members.ts"
import { inputMedia } from "../../src/core/media/message-parts.ts"
import { describePart } from "../../src/core/media/part.ts"
import type { StoredRow } from "../../src/core/run/run-store.ts"
import type { Sample } from "../../src/core/sample.ts"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { restOfFirstToken, serverTimings } from "../../src/perf/server/server-timings.ts"
import { stageMilliseconds } from "../../src/perf/stage-times.ts"
import { metricCalled, type ReportMetric } from "../../src/words/metric.ts"
import { counted } from "../../src/words/number.ts"
import { milliseconds } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { episodeThread, withCalls } from "../wording/episode-thread.ts"
import { threadDifference } from "../wording/thread-difference.ts"
import { type AnswerNotes, answerNotes } from "./sample-notes.ts"

/** One answer to a sample, and what the metrics made of it. */
export interface AnsweredSample {
  readonly generation: Generation
  readonly rows: readonly StoredRow[]
  /** What judges said, by metric: a line each. */
  readonly reasons?: ReadonlyMap<string, string>
}

/** What was asked: a text, or the turns of a conversation. */
function questionLines(input: Sample["input"]): string[] {
  if (input === null) return []
  if (typeof input === "string") return [`  question    ${plainText(input, 2000)}`]
  return input.map(
    ({ role, content, toolCalls }) => `  ${role.padEnd(11)} ${plainText(withCalls(content, toolCalls), 2000)}`,
  )
}

/** How long it took, how many tokens it had, and what it cost, as far as that is known. */
function factsLine({ log, usage, source, episode }: Generation, cost: string): string {
  const isTimed = source !== "batch" && episode === undefined
  const { ttftMs, e2eMs } = requestFigures(log, usage.completionTokens)
  const [first, whole] = isTimed ? [ttftMs, e2eMs] : [null, null]
  return [
    ...(first === null ? [] : [`first token ${milliseconds(first)}`]),
    ...(whole === null ? [] : [`end to end ${milliseconds(whole)}`]),
    ...(usage.promptTokens === null ? [] : [counted(usage.promptTokens, "prompt token")]),
    ...(usage.completionTokens === null ? [] : [counted(usage.completionTokens, "output token")]),
    ...(cost === "" ? [] : [cost]),
  ].join(" \u00b7 ")
}

/**
 * Everything about one sample for the terminal: its references, then each answer with its scores.
 *
 * @param metrics of the run, for what their figures are called
 */
export function renderSample(
  sample: Sample,
  answers: readonly AnsweredSample[],
  metrics: readonly Pick<ReportMetric, "name" | "title">[] = [],
): string {
  const { id, input, references } = sample
  const lines = [`sample ${plainText(id)}`, ...questionLines(input)]
  for (const part of inputMedia(input)) lines.push(`  [${plainText(describePart(part), 200)}]`)
  for (const reference of references) lines.push(`  reference   ${plainText(reference, 400)}`)
  for (const passage of sample.context) lines.push(`  passage     ${plainText(passage, 400)}`)
  const { each, shared } = answerNotes(answers, metrics)
  for (const [index, { generation, reasons }] of answers.entries()) {
    const { cost, scores } = each[index] as AnswerNotes
    const way = generation.source === "batch" ? "   by batch, not timed" : ""
    lines.push("", `${generation.variant}   ${generation.outcome}${way}`, `  ${plainText(generation.text, 2000)}`)
    if (generation.reasoning !== "") lines.push(`  thinking   ${plainText(generation.reasoning, 400)}`)
    const facts = factsLine(generation, cost)
    if (facts !== "") lines.push(`  ${facts}`)
    const stages = [...stageMilliseconds(generation.log)].map(
      ([name, ms]) => `${plainText(name, 40)} ${milliseconds(ms)}`,
    )
    if (stages.length > 0) lines.push(`  stages   ${stages.join(" · ")}`)
    lines.push(...serverLines(generation), ...threadLines(generation, sample))
    for (const [stage, { passages }] of Object.entries(generation.returned?.stages ?? {}))
      lines.push(
        `  after ${plainText(stage, 40)}   ${plainText(passages.map(passageName).join(" · ") || "(no passage)", 400)}`,
      )
    for (const passage of generation.returned?.passages ?? []) lines.push(`  passage   ${plainText(passage, 400)}`)
    if (generation.returned?.fields)
      lines.push(`  returned   ${plainText(JSON.stringify(generation.returned.fields), 1000)}`)
    if (generation.failure)
      lines.push(`  failure   ${plainText(generation.failure.message, 500)}`, ...stackLines(generation.failure.stack))
    if (scores.length > 0) lines.push(`  ${scores.join(" · ")}`)
    for (const { measured } of answers[index]?.rows ?? [])
      if (measured.status === "unscored") lines.push(...stackLines(asMembers(measured.details)?.stack))
    for (const [metric, said] of reasons ?? [])
      lines.push(
        `  ${metricCalled(metrics, metric, 60)}`,
        ...said.split("\n").map((line) => `    ${plainText(line, 400)}`),
      )
  }
  if (shared.length > 0) lines.push("", "of every answer", `  ${shared.join(" · ")}`)
  lines.push(...partingLines(sample, answers))
  return `${lines.join("\n")}\n`
}

/** The frames of an error of the user's own code. */
function stackLines(stack: unknown): string[] {
  return asText(stack)
    .split("\n")
    .slice(1, 5)
    .map((line) => `    ${plainText(line.trim(), 300)}`)
}

/** Steps of each episode that are shown from where two of them part. */
const shownAfterParting = 4

/** Where each further episode parts from the first one, side by side from there on. */
function partingLines(sample: Sample, answers: readonly AnsweredSample[]): string[] {
  const [first, ...others] = answers.flatMap(({ generation }) =>
    generation.episode ? [{ name: generation.variant, thread: episodeThread(generation.episode, sample) }] : [],
  )
  if (!first) return []
  return others.flatMap((other) => {
    if (other.name === first.name) return []
    const parting = threadDifference(first.thread, other.thread)
    const names = `${plainText(first.name, 60)} and ${plainText(other.name, 60)}`
    if (parting === null) return ["", `${names} went through the same steps`]
    const { at, turn } = parting
    const width = Math.max(first.name.length, other.name.length)
    const rows = Array.from({ length: shownAfterParting }, (_, i) => at + i).flatMap((step) =>
      [first, other].flatMap(({ name, thread }) => {
        const entry = thread[step]
        if (!entry) return step === at ? [`  ${plainText(name, 60).padEnd(width)}   (ended)`] : []
        const { who, label, text } = entry
        return [
          `  ${plainText(name, 60).padEnd(width)}   ${who.padEnd(5)}${label === "" ? "" : `   ${plainText(label, 80)}`}   ${plainText(text, 200)}`,
        ]
      }),
    )
    return ["", `${names} part at step ${at + 1}, in turn ${turn} of the user`, ...rows]
  })
}

/** What the server states of its own time, and what of the first token it does not account for. */
function serverLines({ server, log, usage, episode }: Generation): string[] {
  const timings = episode ? null : serverTimings(server)
  if (timings === null) return []
  const { source, queueMs, loadMs, prefillMs, decodeMs, totalMs } = timings
  const { ttftAnyMs: ttftMs, e2eMs } = requestFigures(log, usage.completionTokens)
  const rest = restOfFirstToken(timings, ttftMs)
  // A server decodes the token that ends an answer, too, which no client sees as text.
  const goesOn = decodeMs !== null && ttftMs !== null && e2eMs !== null && decodeMs > e2eMs - ttftMs
  const parts = [
    ["queue", queueMs],
    ["model load", loadMs],
    ["prefill", prefillMs],
    [goesOn ? "decode with the token that ends it" : "decode", decodeMs],
    ["all of it", prefillMs === null && decodeMs === null ? totalMs : null],
    [queueMs === null ? "rest of the first token (network and queue)" : "rest of the first token (network)", rest],
  ] as const
  const times = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${milliseconds(ms)}`]))
  return [`  server   ${times.join(" · ")} (by ${source}'s own clock)`]
}

/** A passage of a stage in few words. */
function passageName(passage: StagePassage): string {
  const text = typeof passage === "string" ? passage : (passage.id ?? passage.text ?? "")
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** An episode step by step, each with when it began and how long it took. */
function threadLines({ episode }: Generation, sample: Sample): string[] {
  if (!episode) return []
  const restarts = episode.steps.filter(({ kind }) => kind === "restart").length
  return [
    ...(restarts > 0
      ? [`  began anew ${restarts === 1 ? "once" : `${restarts} times`}: its tools' state was lost`]
      : []),
    ...episodeThread(episode, sample).map(({ who, label, text, startMs, endMs }) => {
      const took =
        startMs === null || endMs === null ? "" : `at ${milliseconds(startMs)}, ${milliseconds(endMs - startMs)}`
      const facts = [plainText(label, 200), took].filter((fact) => fact !== "").join(" · ")
      return `  ${who.padEnd(5)}${facts === "" ? "" : `   ${facts}`}   ${plainText(text, 600)}`
    }),
    ...(episode.state === undefined ? [] : [`  state   ${plainText(JSON.stringify(episode.state), 1000)}`]),
  ]
}
