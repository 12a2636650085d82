import type { HistorySummary, Said } from "../../core/episode/design.ts"
import type { SummaryStep } from "../../core/episode/step.ts"
import type { ChatMessage } from "../../core/message.ts"
import type { ModelRequest } from "../../core/provider.ts"
import { createRandom } from "../../core/random.ts"
import type { Variant } from "../../core/variant.ts"
import { fenced, fenceMark } from "../../text/fence.ts"
import { episodeWords, summaryPrompt } from "../../words/run/episode.ts"
import type { RunStage } from "../run-stage.ts"
import { askNonVariant } from "./ask-non-variant.ts"
import type { NextAction } from "./next-action.ts"
import { summaryPurpose } from "./non-variant-purposes.ts"

/** What is to be summed up for a variant. */
export interface SummaryQuestion extends Omit<Extract<NextAction, { kind: "summarise" }>, "kind"> {
  readonly summary: HistorySummary
}

/** Characters of a summary, at most: what a model that runs on wrote is cut. */
const maxSummaryLength = 8000

/** A summary of turns that are no longer shown, asked for as {@link askNonVariant} does. */
export async function summarise(
  run: RunStage,
  { name }: Pick<Variant, "name">,
  { summary, turn, until, before, said }: SummaryQuestion,
): Promise<SummaryStep | null> {
  const request = summaryRequest(summary, before, said, `${run.evaluation.seed}/summary`)
  const asked = await askNonVariant(run, name, {
    provider: summary.provider,
    request,
    purpose: summaryPurpose,
    read: (text) => text.trim().slice(0, maxSummaryLength),
    silence: (text) => (text === "" ? { message: episodeWords.noWords } : null),
  })
  return asked && { kind: "summary", turn, until, text: asked.reply, ...asked.call }
}

/** What is sent for a summary: the one before it, and what came after that. */
export function summaryRequest(
  { parameters, maxCharacters = 20_000 }: Omit<HistorySummary, "provider">,
  before: string | null,
  said: readonly Said[],
  seed: string,
): ModelRequest {
  const texts = [
    ...(before === null ? [] : [{ title: "Summary until now", text: before }]),
    ...said.map(({ who, text }) => ({ title: who === "user" ? "The user" : "The assistant", text })),
  ]
  const mark = fenceMark(seed, texts)
  const instructions = [summaryPrompt.task, summaryPrompt.keep, summaryPrompt.fence(mark)].join("\n")
  const messages: ChatMessage[] = [
    { role: "system", content: instructions },
    { role: "user", content: `${fenced(texts, mark, maxCharacters)}\n\nWrite the summary.` },
  ]
  return {
    messages,
    parameters: { temperature: 0, maxTokens: 256, ...parameters, seed: createRandom(seed).integer(2 ** 31 - 1) },
  }
}
