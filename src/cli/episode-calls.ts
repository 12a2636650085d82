import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import { designOf, isEpisode } from "../engine/episode/is-episode.ts"
import { assumedAnswerTokens } from "../engine/run/generate/model-request.ts"

/** What one episode may take at most. */
export interface EpisodeCalls {
  /** Tokens of the prompt of each call of the variant, with every answer before it at its longest. What tools return is not counted. */
  readonly prompts: readonly number[]
  /** Calls of the model that plays the user. */
  readonly userCalls: number
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
  if (!isEpisode(variant, sample)) return { prompts: [opening], userCalls: 0 }
  const { user, tools, maxSteps, history } = designOf(variant)
  const said = (sample.turns ?? []).slice(1).map(({ content }) => countTokens(content) + messageFrame)
  const given = sample.turns?.length ?? (sample.input === null ? 0 : 1)
  const userTurns = Math.max(0, (user?.maxTurns ?? 0) - given)
  const turns = Math.max(1, given + userTurns)
  const answer = (variant.parameters.maxTokens ?? assumedAnswerTokens) + messageFrame
  const steps = tools.length > 0 ? maxSteps : 1
  const ofTurn = (turn: number): number => (turn === 0 ? 0 : (said[turn - 1] ?? assumedUserTokens + messageFrame))
  const prompts: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const first = history === "full" ? 0 : Math.max(0, turn - history.last)
    let tokens = opening + ofTurn(turn)
    for (let before = first; before < turn; before++) tokens += ofTurn(before) + steps * answer
    for (let step = 0; step < steps; step++) prompts.push(tokens + step * answer)
  }
  return { prompts, userCalls: userTurns }
}

/** What OpenAI's counting rule adds for each message. */
const messageFrame = 4
