import { UsageError } from "../src/core/errors.ts"
import { contentHash } from "../src/core/json.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import { checkOptions } from "../src/core/options.ts"
import { inputText, type Sample } from "../src/core/sample.ts"
import { type Against, againstName, otherText } from "./against.ts"
import { ask, type Reply } from "./ask.ts"
import { askRepeats, notAsked, type Said } from "./ask-repeats.ts"
import { joinReplies } from "./join-replies.ts"
import { characters, createJudge, type Judge, type JudgeOptions, judgeParameters } from "./judge.ts"
import { parseVerdict } from "./parse-verdict.ts"
import { judgeMessages, verdictSchema } from "./prompt.ts"
import { checkPlaceholders } from "./rubric.ts"
import { defaultMaxCharacters } from "./rubric-judge.ts"

/** Options of {@link pairwise}. @public */
export interface PairwiseOptions extends JudgeOptions {
  readonly against: Against
  /** What makes an answer better. */
  readonly instructions?: string
  /** The whole prompt for a judge trained on one form: `{input}`, `{reference}`, `{first}`, `{second}`. It has no fence. */
  readonly template?: string
}

const labels = ["A", "B", "tie"] as const

const defaultInstructions =
  "Compare two answers to the same question. Say which one helps the person who asked more: it is right, does what was asked, and leaves out what was not. Neither the order in which the answers stand nor their length is a reason. Say tie when neither is better."

const replyForm = `Possible verdicts:\n- A: answer A is better\n- B: answer B is better\n- tie: neither is better\n\nReply with a JSON object: {"reason": "<one or two sentences>", "verdict": "<A, B or tie>"}.`

/**
 * A judge that compares an answer with another, always in both orders. 1: it won in both; 0: it lost in both; 0.5: a tie, or
 * the orders contradict each other, which the judge card counts as a position flip. Without a verdict in both orders there
 * is no score.
 *
 * Misleads where the judge likes length or its own style: the section on win rates has the rate at equal length. It cannot say
 * whether both are bad. Range 0..1, higher is better; 0.5 is even. Cost: two calls an answer. Source: Zheng et al. 2023
 * (MT-Bench).
 *
 * @throws {UsageError} without `against`, and for a placeholder that nothing fills in
 * @example
 * // shown first it wins, shown second it loses: the orders contradict each other
 * pairwise({ provider: openai({ model: "gpt-4o-mini" }), against: { variant: "m-f16" } }) // 0.5
 * @public
 */
export function pairwise(options: PairwiseOptions): Judge {
  checkOptions("pairwise", options)
  const { against, instructions = defaultInstructions, template = null } = options
  if (against === undefined)
    throw new UsageError("there is nothing to compare with", {
      where: "pairwise({ against })",
      hint: 'name the other answer: against: "reference", { variant: "…" }, or a function of the sample',
    })
  checkPlaceholders({ instructions, template }, ["input", "reference", "first", "second"], "pairwise({ template })")
  return createJudge({
    options,
    name: "pairwise",
    calls: 2,
    range: [0, 1],
    signature: [
      "judge:pairwise",
      `rubric:${contentHash({ instructions, template, version: 1 }, 16)}`,
      `against:${againstName(against)}`,
      "orders:both",
      `fence:${template === null ? "yes" : "none"}`,
    ],
    async verdict(sample, generation, tools) {
      const other = otherText(against, sample, generation, tools)
      if ("missing" in other) return notAsked(options, other.missing, tools)
      const said = await askRepeats(options, tools, async (repeat) => [
        await compareBothOrders(options, { sample, answer: generation.text, other: other.text, repeat }, tools),
      ])
      return { ...said, otherCharacters: characters(other.text) }
    },
  })
}

/** Two answers to one question. */
export interface Pair {
  readonly sample: Sample
  readonly answer: string
  readonly other: string
  readonly repeat: number
}

/** One comparison in both orders. */
export async function compareBothOrders(
  options: PairwiseOptions,
  pair: Pair,
  tools: MetricTools,
): Promise<Reply<Said>> {
  const [shownFirst, shownSecond] = await Promise.all([
    askOrder(options, pair, true, tools),
    askOrder(options, pair, false, tools),
  ])
  return joinReplies([shownFirst, shownSecond], ([first = null, second = null]) => {
    if (!first || !second) return null
    const score = first.credit === second.credit ? first.credit : 0.5
    return { score, choice: score, reason: first.reason, order: { first: first.credit, second: second.credit } }
  })
}

interface Comparison {
  /** Of the judged answer. */
  readonly credit: number
  readonly reason: string | null
}

function askOrder(
  options: PairwiseOptions,
  pair: Pair,
  answerFirst: boolean,
  tools: MetricTools,
): Promise<Reply<Comparison>> {
  const { provider, instructions = defaultInstructions, template } = options
  const [first, second] = answerFirst ? [pair.answer, pair.other] : [pair.other, pair.answer]
  const question = inputText(pair.sample)
  const texts = [
    ...(question === "" ? [] : [{ title: "Question", text: question }]),
    { title: "Answer A", text: first },
    { title: "Answer B", text: second },
  ]
  const key = `${contentHash({ instructions })}/${tools.seed}/${pair.repeat}`
  const limit = options.maxCharacters ?? defaultMaxCharacters
  const reference = pair.sample.references[0] ?? ""
  const fields: Readonly<Record<string, string>> = { input: question, reference, first, second }
  return ask<Comparison>(
    {
      provider,
      messages:
        template === undefined
          ? judgeMessages({ instructions, replyForm, texts, key, limit })
          : [
              {
                role: "user",
                content: template.replace(/\{(input|reference|first|second)\}/g, (_, f: string) => fields[f] ?? ""),
              },
            ],
      parameters: {
        ...judgeParameters(options, pair.repeat),
        ...(template === undefined && { jsonSchema: verdictSchema(labels) }),
      },
      purpose: `judge:${options.judge ?? provider.label}`,
      replyForm: template === undefined ? replyForm : null,
      read(answer) {
        const parsed = parseVerdict(answer.text, labels, [question, first, second])
        if (parsed.status === "unreadable") return { problem: parsed.problem }
        const credit = parsed.label === "tie" ? 0.5 : Number((parsed.label === "A") === answerFirst)
        return { value: { credit, reason: parsed.reason } }
      },
    },
    tools,
  )
}
