import { between, draw, type Generator } from "../data/item.ts"
import { words } from "../data/words.ts"

/** Three to six words in alphabetical order; tested on sets that never trained in any order. */
export const sort: Generator = (random) => {
  const list = draw(random, words, between(random, 3, 6))
  const sorted = [...list].sort()
  return {
    task: "sort",
    prompt: `Sort alphabetically: ${list.join(", ")}.`,
    answer: sorted.join(", "),
    keys: [`set:${sorted.join(",")}`],
    extra: { length: list.length },
  }
}
