import type { Random } from "../../../src/core/random.ts"
import { type Generator, type Item, pick } from "../data/item.ts"
import { answerFact, drawFact, kinds, unknownAnswer } from "../data/passage.ts"
import { people, pets, words } from "../data/words.ts"
import { arithmetic } from "./arithmetic.ts"
import { date } from "./date.ts"
import { qa } from "./qa.ts"
import { sort } from "./sort.ts"
import { summary } from "./summary.ts"
import { translation } from "./translation.ts"

/** What a judge can say of one answer. */
export type Verdict = "yes" | "partly" | "no"

/** The pointwise question that the models were trained on. */
export function pointwisePrompt(reference: string, answer: string): string {
  return `Reference: ${reference} Answer: ${answer} Is the answer correct?`
}

/** The pairwise question that the models were trained on. */
export function pairwisePrompt(reference: string, a: string, b: string): string {
  return `Reference: ${reference} A: ${a} B: ${b} Which is better?`
}

/** Is an answer right, partly right or wrong, given the reference? */
export const judge: Generator = (random) => {
  const draw = random.next()
  const verdict: Verdict = draw < 0.4 ? "yes" : draw < 0.65 ? "partly" : "no"
  const base = drawBase(random, verdict)
  const answer = answerOf(random, base, verdict)
  return {
    task: "judge",
    prompt: pointwisePrompt(base.answer, answer),
    answer: verdict,
    keys: [referenceKey(base), ...base.keys],
    choices: ["yes", "partly", "no"],
    label: verdict,
    extra: { reference: base.answer, candidate: answer, of: base.task },
  }
}

/** Which of two answers is better? One is right, the other partly right or wrong. */
export const pairwise: Generator = (random) => {
  const worse: Verdict = random.next() < 0.4 ? "partly" : "no"
  const base = drawBase(random, worse)
  return comparePair(base, base.answer, answerOf(random, base, worse), random.next() < 0.5)
}

/** The pairwise item with the better answer in the first or the second place. */
export function comparePair(base: Item, better: string, worse: string, betterFirst: boolean): Item {
  const [a, b] = betterFirst ? [better, worse] : [worse, better]
  return {
    task: "pairwise",
    prompt: pairwisePrompt(base.answer, a, b),
    answer: betterFirst ? "A" : "B",
    keys: [referenceKey(base), ...base.keys],
    choices: ["A", "B"],
    label: betterFirst ? "A" : "B",
    extra: { reference: base.answer, a, b, of: base.task },
  }
}

/** What a judge's question is about: the reference, wherever it came from. */
function referenceKey(base: Item): string {
  return `reference:${base.answer}`
}

/** Only answers with parts can be partly right. */
function drawBase(random: Random, verdict: Verdict): Item {
  const withParts = [summary, translation, sort]
  return pick(random, verdict === "partly" ? withParts : [...withParts, qa, arithmetic, date])(random)
}

function answerOf(random: Random, base: Item, verdict: Verdict): string {
  if (verdict === "yes") return random.next() < 0.3 ? base.answer.replace(/\.$/, "") : base.answer
  if (verdict === "partly") return spoilOnePart(random, base.answer)
  for (;;) {
    const wrong = wrongAnswer(random, base)
    if (wrong !== base.answer) return wrong
  }
}

/** One word after the first replaced by another. */
function spoilOnePart(random: Random, answer: string): string {
  const parts = answer.split(" ")
  const index = 1 + random.integer(parts.length - 1)
  const old = parts[index] as string
  const end = /[.,]$/.exec(old)?.[0] ?? ""
  let other = pick(random, words)
  while (other + end === old) other = pick(random, words)
  parts[index] = other + end
  return parts.join(" ")
}

/** An answer of the same kind that is wrong throughout. */
function wrongAnswer(random: Random, base: Item): string {
  switch (base.task) {
    case "arithmetic":
      return String(Math.abs(Number(base.answer) + pick(random, [-100, -10, -2, -1, 1, 2, 10, 100])))
    case "qa":
      return random.next() < 0.4
        ? unknownAnswer
        : answerFact(drawFact(random, pick(random, people), pick(random, kinds)))
    case "date":
      return date(random).answer
    case "sort":
      return sort(random).answer
    case "summary":
      return random.next() < 0.3 ? `It is about a ${pick(random, pets)}.` : summary(random).answer
    default:
      return translation(random).answer
  }
}
