import { between, draw, type Generator, pick } from "../data/item.ts"
import { wordKinds } from "../data/words.ts"

const letters = ["A", "B", "C", "D"] as const
const kinds = Object.keys(wordKinds) as (keyof typeof wordKinds)[]

/** Multiple choice by letter: the one word of a kind, or the largest or smallest number, among three or four. */
export const choice: Generator = (random) => {
  const count = between(random, 3, 4)
  const { question, right, wrong } = random.next() < 0.5 ? byKind(count) : bySize(count)
  const choices = random.shuffle([right, ...wrong])
  return {
    task: "choice",
    prompt: `${question} ${choices.map((text, index) => `${letters[index]}) ${text}`).join(" ")}`,
    answer: letters[choices.indexOf(right)] as string,
    keys: [`choice:${question}/${[...choices].sort().join(",")}`],
    choices,
  }

  function byKind(size: number) {
    const kind = pick(random, kinds)
    const others = kinds.filter((each) => each !== kind).flatMap((each) => wordKinds[each])
    return {
      question: `Which is a ${kind}?`,
      right: pick(random, wordKinds[kind]),
      wrong: draw(random, others, size - 1),
    }
  }

  function bySize(size: number) {
    const numbers = new Set<number>()
    while (numbers.size < size) numbers.add(between(random, 1, 99))
    const ascending = [...numbers].sort((a, b) => a - b)
    const largest = random.next() < 0.5
    const right = String(largest ? ascending.at(-1) : ascending[0])
    const wrong = ascending.map(String).filter((text) => text !== right)
    return { question: `Which is the ${largest ? "largest" : "smallest"}?`, right, wrong }
  }
}
