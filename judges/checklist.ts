import { UsageError } from "../src/core/errors.ts"
import { contentHash } from "../src/core/json.ts"
import { checkOptions } from "../src/core/options.ts"
import type { Sample } from "../src/core/sample.ts"
import { statedJson, statesMember } from "../src/text/reading/stated-json.ts"
import { ask } from "./ask.ts"
import { askRepeats, notAsked, type Said } from "./ask-repeats.ts"
import { createJudge, type Judge, type JudgeOptions, judgeParameters } from "./judge.ts"
import { materialsOf } from "./materials.ts"
import { judgeMessages } from "./prompt.ts"
import { checkPlaceholders, defineRubric } from "./rubric.ts"
import { defaultMaxCharacters } from "./rubric-judge.ts"

/** Options of {@link checklist}. @public */
export interface ChecklistOptions extends JudgeOptions {
  /** Questions with "yes" as the good answer: the same for every sample, or made from it. */
  readonly items: readonly string[] | ((sample: Sample) => readonly string[])
}

/** Most questions in one request. */
const maxItems = 50

/**
 * A judge that answers yes or no to each question of a list; the score is the share of yes. Judges agree on it more easily than on one
 * grade, and the row lists what was missing. After a reply that skips a question the judge is asked once more; then the
 * answer is unscored.
 *
 * Misleads where the questions leave out what matters, and counts each as much as any other. Range 0..1, higher is better.
 * Cost: a call an answer, of at most 50 questions. Source: Lee et al. 2024 (CheckEval).
 *
 * @example
 * // the judge says yes and no
 * checklist({ provider, items: ["Does the answer name a city?", "Is it in English?"] }) // 0.5
 * @public
 */
export function checklist(options: ChecklistOptions): Judge {
  checkOptions("checklist", options)
  const { items } = options
  if (typeof items !== "function") checkItems(items)
  const shown = defineRubric({
    name: "checklist",
    instructions: "Answer each question about the answer with yes or no. Say yes only when it is plainly so.",
    choices: { yes: 1, no: 0 },
    optionalFields: ["input", "reference", "context"],
  })
  return createJudge({
    options,
    name: "checklist",
    range: [0, 1],
    signature: [
      "judge:checklist",
      `rubric:${shown.hash}`,
      `items:${typeof items === "function" ? `function ${contentHash(String(items), 8)}` : contentHash(items, 16)}`,
      "fence:yes",
    ],
    verdict(sample, generation, tools) {
      const questions = typeof items === "function" ? items(sample) : items
      const materials = materialsOf(shown, sample, generation)
      if ("missing" in materials) return Promise.resolve(notAsked(options, materials.missing, tools))
      if (questions.length === 0) return Promise.resolve(notAsked(options, "no_checklist", tools))
      checkItems(questions)
      const numbered = questions.map((question, i) => `${i + 1}. ${question}`).join("\n")
      const replyForm = `Questions:\n${numbered}\n\nReply with a JSON object: {"answers": ["yes" or "no" for each of the ${questions.length} questions, in order]}.`
      return askRepeats(options, tools, async (repeat) => [
        await ask<Said>(
          {
            provider: options.provider,
            messages: judgeMessages({
              instructions: shown.instructions,
              replyForm,
              texts: materials.texts,
              key: `${shown.hash}/${contentHash(questions)}/${tools.seed}/${repeat}`,
              limit: options.maxCharacters ?? defaultMaxCharacters,
            }),
            parameters: { ...judgeParameters(options, repeat), jsonSchema: answersSchema(questions.length) },
            purpose: `judge:${options.judge ?? options.provider.label}`,
            replyForm,
            read: ({ text }) => readAnswers(text, questions, [...materials.byField.values()]),
          },
          tools,
        ),
      ])
    },
  })
}

/**
 * Reads "yes" and "no" in order: a JSON list, or numbered lines. Beside other words neither is read where a text that is judged has such a
 * list, too: the reply may quote it.
 */
export function readAnswers(
  reply: string,
  questions: readonly string[],
  shown: readonly string[],
): { readonly value: Said } | { readonly problem: string } {
  const { text, objects, isWhole, isBroken } = statedJson(reply)
  const lists = objects.map(({ members }) => members.answers).filter(Array.isArray)
  const isLines = lists.length === 0 && text.replace(numberedLine, "").trim() === ""
  const isBait = statesMember(shown, ["answers"]) || shown.some((part) => part.search(numberedLine) >= 0)
  if (isBroken || lists.length > 1 || (isBait && !isWhole && !isLines))
    return { problem: "it has other words beside the list, which may be one that it quotes" }
  const answers = lists[0] ? lists[0].map(yesOrNo) : numberedLines(text, questions.length)
  if (answers.length !== questions.length || answers.includes(null))
    return { problem: `it does not answer each of the ${questions.length} questions with yes or no` }
  const missed = questions.filter((_, i) => answers[i] === false)
  const score = (questions.length - missed.length) / questions.length
  return {
    value: { score, choice: score, reason: missed.length === 0 ? null : `no: ${missed.join(" · ")}`.slice(0, 500) },
  }
}

function yesOrNo(value: unknown): boolean | null {
  if (typeof value === "boolean") return value
  const word = typeof value === "string" ? value.trim().toLowerCase() : ""
  return word === "yes" ? true : word === "no" ? false : null
}

const numberedLine = /^[^\S\n]{0,50}(\d{1,2})\s{0,20}[.):-]\s{0,20}(yes|no)\b/gim

/** The answer of each number; null where there is none, or two that differ. */
function numberedLines(reply: string, count: number): (boolean | null)[] {
  const lines = [...reply.matchAll(numberedLine)]
  return Array.from({ length: count }, (_, i) => {
    const [first, ...more] = lines.filter(([, number]) => Number(number) === i + 1).map(([, , word]) => yesOrNo(word))
    return more.every((other) => other === first) ? (first ?? null) : null
  })
}

function answersSchema(count: number) {
  const list = { type: "array", items: { type: "string", enum: ["yes", "no"] }, minItems: count, maxItems: count }
  return {
    name: "answers",
    schema: { type: "object", properties: { answers: list }, required: ["answers"], additionalProperties: false },
  }
}

function checkItems(items: readonly string[]): void {
  checkPlaceholders({ instructions: items.join("\n") }, [], "checklist({ items })")
  if (items.length > maxItems)
    throw new UsageError(`a checklist holds at most ${maxItems} questions`, { where: `${items.length} questions` })
  if (items.length === 0) throw new UsageError("a checklist needs a question", { hint: 'items: ["Is it polite?"]' })
}
