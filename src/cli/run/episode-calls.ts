import { assumedAnswerTokens } from "../../calls/model-request.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { designOf, isEpisode } from "../../run/episode/is-episode.ts"

/** What one episode may take at most. */
export interface EpisodeCalls {
  /** Tokens of the prompt of each call of the variant, with every answer before it at its longest. What tools return is not counted. */
  readonly prompts: readonly number[]
  /** Turns of the user; 0 where the sample is one question and one answer. */
  readonly turns: number
  /** Tokens of the prompt of each call of the model that plays the user, without what it is told each time. */
  readonly userPrompts: readonly number[]
  /** Tokens of the texts of each summary of what is no longer shown. */
  readonly summaryPrompts: readonly number[]
}

/** Tokens of a turn of a simulated user whose length nobody limits. */
const assumedUserTokens = 512

/**
 * The calls that one sample may take: turns of the user, and as many answers to each as there may be.
 *
 * @param opening tokens of the first prompt, with everything that is sent beside it
 * @param countTokens counts the tokens of a text
 */
export function episodeCalls(
  variant: Variant,
  sample: Sample,
  opening: number,
  countTokens: (text: string) => number,
): EpisodeCalls {
  if (!isEpisode(variant, sample)) return { prompts: [opening], turns: 0, userPrompts: [], summaryPrompts: [] }
  const { user, tools, maxSteps, history } = designOf(variant)
  const said = (sample.turns ?? []).slice(1).map(({ content }) => countTokens(content) + messageFrame)
  const scripted = sample.turns?.length ?? (sample.input === null ? 0 : 1)
  const userTurns = Math.max(0, (user?.maxTurns ?? 0) - scripted)
  const turns = Math.max(1, scripted + userTurns)
  const answer = (variant.parameters.maxTokens ?? assumedAnswerTokens) + messageFrame
  const steps = tools.length > 0 ? maxSteps : 1
  const ofTurn = (turn: number): number => (turn === 0 ? 0 : (said[turn - 1] ?? assumedUserTokens + messageFrame))
  const prompts: number[] = []
  const userPrompts: number[] = []
  const summaryPrompts: number[] = []
  const summary = history === "full" ? undefined : history.summary
  const summaryTokens = summary?.parameters?.maxTokens ?? assumedSummaryTokens
  // Everything that was said: what the user is shown before it speaks, of each turn the last answer.
  let saidBefore = 0
  for (let turn = 0; turn < turns; turn++) {
    const first = history === "full" ? 0 : Math.max(0, turn - history.last)
    if (turn >= scripted) userPrompts.push(saidBefore)
    saidBefore += (turn === 0 ? opening : ofTurn(turn)) + answer
    let tokens = opening + ofTurn(turn)
    if (summary && first > 0) {
      const fallen = first === 1 ? opening : ofTurn(first - 1)
      summaryPrompts.push(fallen + steps * answer + (first > 1 ? summaryTokens : 0))
      tokens += summaryTokens
    }
    for (let before = first; before < turn; before++) tokens += ofTurn(before) + steps * answer
    for (let step = 0; step < steps; step++) prompts.push(tokens + step * answer)
  }
  // After the last answer the user is not asked: it has had its turns.
  return { prompts, turns, userPrompts, summaryPrompts }
}

/** Tokens of a summary whose length nobody states. */
export const assumedSummaryTokens = 256

/** What OpenAI's counting rule adds for each message. */
const messageFrame = 4
