import { contentHash } from "../src/core/json.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import { checkOptions } from "../src/core/options.ts"
import { createRandom } from "../src/core/random.ts"
import { inputText, type Sample } from "../src/core/sample.ts"
import { ask, type Reply } from "./ask.ts"
import { askRepeats, notAsked, type Said } from "./ask-repeats.ts"
import { joinReplies } from "./join-replies.ts"
import { createJudge, type Judge, type JudgeOptions, judgeParameters } from "./judge.ts"
import { parseVerdict } from "./parse-verdict.ts"
import { judgeMessages, verdictSchema } from "./prompt.ts"
import { checkPlaceholders } from "./rubric.ts"
import { defaultMaxCharacters } from "./rubric-judge.ts"

/** Options of {@link bestOf}. @public */
export interface BestOfOptions extends JudgeOptions {
  /** The other answers to choose from. */
  readonly others: (sample: Sample) => readonly string[]
  readonly instructions?: string
  /** Orders that are asked for; by default one for each place that the answer can have, four at most. */
  readonly rotations?: number
}

const defaultInstructions =
  "Several answers to the same question are shown. Choose the one that helps the person who asked most: it is right, does what was asked, and leaves out what was not. Neither the place in which an answer stands nor its length is a reason."

/**
 * A judge that picks the best of several answers. They are shown in a seeded order that is rotated from request to request, so
 * that every answer is in every place equally often; the score is the share of the orders in which the answer was chosen.
 *
 * Misleads where the others differ from comparison to comparison: a share of wins says how good the others are, too. Range
 * 0..1, higher is better; 1 / (number of answers) is what chance gives. Cost: a call for each order. Source: the change of
 * places as in Zheng et al. 2023 and Wang et al. 2023.
 *
 * @example
 * // one other answer, so two orders: the answer is chosen when it stands first, and not when it stands second
 * bestOf({ provider: openai({ model: "gpt-4o-mini" }), others: (sample) => [String(sample.metadata.today)] }) // 0.5
 * @public
 */
export function bestOf(options: BestOfOptions): Judge {
  checkOptions("bestOf", options)
  const { others, instructions = defaultInstructions } = options
  checkPlaceholders({ instructions }, [], "bestOf({ instructions })")
  return createJudge({
    options,
    name: "bestOf",
    range: [0, 1],
    signature: [
      "judge:bestOf",
      `rubric:${contentHash({ instructions, version: 1 }, 16)}`,
      `rotations:${options.rotations ?? "all"}`,
      `others:function ${contentHash(String(others), 8)}`,
      "fence:yes",
    ],
    verdict(sample, generation, tools) {
      const rivals = others(sample)
      if (rivals.length === 0) return Promise.resolve(notAsked(options, "nothing_to_compare_with", tools))
      return askRepeats(options, tools, async (repeat) => [
        await askRotations(options, { sample, answer: generation.text, rivals, repeat }, tools),
      ])
    },
  })
}

interface Contest {
  readonly sample: Sample
  readonly answer: string
  readonly rivals: readonly string[]
  readonly repeat: number
}

async function askRotations(options: BestOfOptions, contest: Contest, tools: MetricTools): Promise<Reply<Said>> {
  const { sample, answer, rivals, repeat } = contest
  const order = createRandom(`${tools.seed}/bestOf/${sample.id}/${repeat}`).shuffle(
    [answer, ...rivals].map((_, i) => i),
  )
  const rotations = Math.min(options.rotations ?? 4, order.length)
  const replies = await Promise.all(
    Array.from({ length: rotations }, (_, turn) => {
      const by = Math.floor((turn * order.length) / rotations)
      const positions = [...order.slice(by), ...order.slice(0, by)]
      return askOnce(
        options,
        contest,
        positions.map((i) => [answer, ...rivals][i] as string),
        positions.indexOf(0),
        tools,
      )
    }),
  )
  return joinReplies(replies, (values) => {
    const votes = values.filter((value) => value !== null)
    if (votes.length === 0) return null
    const score = votes.filter(({ chosen }) => chosen).length / votes.length
    return { score, choice: Number(score > 0.5), reason: votes[0]?.reason ?? null }
  })
}

function askOnce(
  options: BestOfOptions,
  { sample, repeat }: Contest,
  answers: readonly string[],
  index: number,
  tools: MetricTools,
): Promise<Reply<{ readonly chosen: boolean; readonly reason: string | null }>> {
  const { provider, instructions = defaultInstructions } = options
  const labels = answers.map((_, i) => String(i + 1))
  const question = inputText(sample)
  const replyForm = `Reply with a JSON object: {"reason": "<one or two sentences>", "verdict": "<number of the best answer, 1 to ${answers.length}>"}.`
  const texts = [
    ...(question === "" ? [] : [{ title: "Question", text: question }]),
    ...answers.map((text, i) => ({ title: `Answer ${i + 1}`, text })),
  ]
  return ask<{ readonly chosen: boolean; readonly reason: string | null }>(
    {
      provider,
      messages: judgeMessages({
        instructions,
        replyForm,
        texts,
        key: `${contentHash({ instructions })}/${tools.seed}/${repeat}`,
        limit: options.maxCharacters ?? defaultMaxCharacters,
      }),
      parameters: { ...judgeParameters(options, repeat), jsonSchema: verdictSchema(labels) },
      purpose: `judge:${options.judge ?? provider.label}`,
      replyForm,
      read(answer) {
        const parsed = parseVerdict(answer.text, labels, [question, ...answers])
        if (parsed.status === "unreadable" || parsed.between !== null)
          return { problem: parsed.status === "unreadable" ? parsed.problem : "it names no answer" }
        return { value: { chosen: parsed.label === labels[index], reason: parsed.reason } }
      },
    },
    tools,
  )
}
