import { UsageError } from "../src/core/errors.ts"
import type { Answer } from "../src/core/generation.ts"
import type { ChatMessage } from "../src/core/message.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import { checkOptions } from "../src/core/options.ts"
import type { GenerationParameters } from "../src/core/provider.ts"
import { boundedText } from "../src/text/spell-out-invisible.ts"
import { ask } from "./ask.ts"
import { askRepeats, notAsked, type Said } from "./ask-repeats.ts"
import { expectedScore } from "./expected-score.ts"
import { joinReplies } from "./join-replies.ts"
import { createJudge, type Judge, type JudgeOptions, judgeParameters } from "./judge.ts"
import { type Materials, materialsOf } from "./materials.ts"
import { parseVerdict } from "./parse-verdict.ts"
import { abstention, judgeMessages, rubricReplyForm, verdictSchema } from "./prompt.ts"
import { type Rubric, rubricRange } from "./rubric.ts"

/** Options of {@link rubric}. @public */
export interface RubricJudgeOptions extends JudgeOptions {
  readonly rubric: Rubric
  /**
   * Take the expected score over the probabilities of the score token where the endpoint gives log-probabilities (G-Eval);
   * else, and where they are missing, the score of the choice. Default true.
   */
  readonly expectedValue?: boolean
  /**
   * `both`: each verdict is asked for twice, with the rubric's verdicts listed from the worst to the best and the other way round; the mean
   * counts, and the judge's card says what the place in the list is worth. Default `worst_first`.
   */
  readonly listing?: "worst_first" | "both"
}

/** Characters of each text that a judge is shown, at most. */
export const defaultMaxCharacters = 20_000

/**
 * A judge that grades one answer by a rubric: the model reads question, answer and what the rubric shows, and chooses one of its
 * verdicts.
 *
 * A judge has noise and habits (longer answers, its own style): read its card, and validate it on answers that people labelled. Range and
 * direction are those of the rubric's verdicts. Cost: a call an answer, two with both listings.
 *
 * Source: Zheng et al. 2023 for grading by one model; Liu et al. 2023 (G-Eval) for the expected score.
 *
 * Misleads where the judge has habits that people do not share: nothing in its figures shows them, its card does.
 *
 * @throws UsageError for a rubric that shows pictures with a provider that takes none, for both listings of a rubric with a template
 * @example
 * // the judge says partly, which correctness scores 0.5
 * rubric({ provider: openai({ model: "gpt-4o-mini" }), rubric: correctness }) // 0.5
 * @public
 */
export function rubric(options: RubricJudgeOptions): Judge {
  checkOptions("rubric", options)
  const { rubric: words } = options
  const expected = options.expectedValue !== false
  const askedOf = options.provider.traits?.members ?? [options.provider]
  const blind = words.images ? askedOf.find(({ traits }) => !traits?.media?.images) : undefined
  if (blind)
    throw new UsageError(`the rubric "${words.name}" shows pictures, and ${blind.label} takes none`, {
      where: "rubric({ provider })",
      hint: "choose a judge that takes pictures, or a rubric without images: true",
    })
  const { listing = "worst_first" } = options
  if (listing === "both" && words.template !== null)
    throw new UsageError(`the rubric "${words.name}" has a template of its own, which lists no verdicts`, {
      where: "rubric({ listing })",
    })
  return createJudge({
    options,
    ...(listing === "both" && { calls: 2 }),
    name: words.name,
    range: rubricRange(words),
    direction: words.direction,
    note: words.note ?? undefined,
    signature: [
      `judge:rubric`,
      `rubric:${words.name}.v${words.version}.${words.hash}`,
      `fence:${words.template === null ? "yes" : "none"}`,
      `expected:${expected ? "yes" : "no"}`,
      ...(listing === "both" ? ["listing:both"] : []),
    ],
    verdict(sample, generation, tools) {
      const materials = materialsOf(words, sample, generation)
      if ("missing" in materials) return Promise.resolve(notAsked(options, materials.missing, tools))
      const once = (repeat: number, bestFirst: boolean) =>
        askOnce(options, materials, tools, { repeat, expected, bestFirst })
      return askRepeats(options, tools, async (repeat) => [
        listing === "both"
          ? joinReplies(await Promise.all([once(repeat, false), once(repeat, true)]), joinListings)
          : await once(repeat, false),
      ])
    },
  })
}

function askOnce(
  options: RubricJudgeOptions,
  materials: Materials,
  tools: MetricTools,
  { repeat, expected, bestFirst }: { readonly repeat: number; readonly expected: boolean; readonly bestFirst: boolean },
) {
  const { rubric: words, provider } = options
  const replyForm = rubricReplyForm(words, options.abstain === true, bestFirst)
  const key = `${words.hash}/${tools.seed}/${repeat}`
  const limit = options.maxCharacters ?? defaultMaxCharacters
  const messages: readonly ChatMessage[] =
    words.template === null
      ? judgeMessages({ ...materials, instructions: words.instructions, replyForm, key, limit })
      : [{ role: "user", content: filled(words.template, materials, limit) }]
  return ask<Said>(
    {
      provider,
      messages,
      parameters: parametersOf(options, repeat, expected),
      purpose: `judge:${options.judge ?? provider.label}`,
      replyForm: words.template === null ? replyForm : null,
      read: (answer) => readSaid(answer, words, options.abstain === true, expected, [...materials.byField.values()]),
    },
    tools,
  )
}

/** One verdict from both listings: the mean score, and the lower of two choices that differ. Without a verdict in one there is none. */
function joinListings([worst = null, best = null]: readonly (Said | null)[]): Said | null {
  if (worst === null || best === null) return null
  const listing = { worstFirst: worst.choice, bestFirst: best.choice }
  if (worst.score === null || best.score === null || worst.choice === null || best.choice === null)
    return { score: null, choice: null, reason: worst.reason ?? best.reason, listing }
  const choice = Math.min(worst.choice, best.choice)
  return { score: (worst.score + best.score) / 2, choice, reason: worst.reason ?? best.reason, listing }
}

function parametersOf(options: RubricJudgeOptions, repeat: number, expected: boolean): GenerationParameters {
  const { rubric: words } = options
  const labels = words.choices.map(({ label }) => label)
  return {
    ...judgeParameters(options, repeat),
    ...(words.reply === "label" && options.parameters?.maxTokens === undefined && { maxTokens: 16 }),
    ...(expected && { topLogprobs: options.parameters?.topLogprobs ?? 20 }),
    ...(words.reply === "json" && { jsonSchema: verdictSchema(options.abstain ? [...labels, abstention] : labels) }),
  }
}

/** The verdict of a reply by a rubric, or why it cannot be read. */
function readSaid(
  answer: Answer,
  words: Rubric,
  abstain: boolean,
  expected: boolean,
  shown: readonly string[],
): { readonly value: Said } | { readonly problem: string } {
  const labels = words.choices.map(({ label }) => label)
  const parsed = parseVerdict(answer.text, abstain ? [...labels, abstention] : labels, shown)
  if (parsed.status === "unreadable") return { problem: parsed.problem }
  const { reason } = parsed
  const choice = words.choices.find(({ label }) => label === parsed.label)
  if (!choice) return { value: { score: null, choice: null, reason } }
  const exact = parsed.between === null ? choice.score : interpolated(words.choices, parsed.between)
  const tail = answer.text.slice(parsed.at)
  const score = expected && answer.logprobs ? expectedScore(answer.logprobs, choice.label, words.choices, tail) : null
  return { value: { score: score ?? exact, choice: choice.score, reason } }
}

function filled(template: string, { byField }: Materials, limit: number): string {
  return template.replace(/\{(input|reference|context|output)\}/g, (_, field: "input") =>
    boundedText(byField.get(field) ?? "", limit),
  )
}

/** The score of a number between two labels of a numeric scale (3.5 of 1..5), on the line between their scores. */
function interpolated(choices: Rubric["choices"], between: number): number {
  const points = choices.map(({ label, score }) => ({ at: Number(label), score })).sort((a, b) => a.at - b.at)
  const above = points.findIndex(({ at }) => at >= between)
  const [low, high] = [points[above - 1], points[above]]
  if (!low || !high) return (high ?? low ?? { score: Number.NaN }).score
  return low.score + ((between - low.at) / (high.at - low.at)) * (high.score - low.score)
}
