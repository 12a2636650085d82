import { between, draw, type Generator } from "../data/item.ts"
import { listWords } from "../data/words.ts"

/** Three to five words in alphabetical order; tested on sets that never trained in any order. */
export const sort: Generator = (random) => {
  const list = draw(random, listWords, between(random, 3, 5))
  const sorted = [...list].sort()
  return {
    task: "sort",
    prompt: `Sort alphabetically: ${list.join(", ")}.`,
    answer: sorted.join(", "),
    keys: [`set:${sorted.join(",")}`],
    extra: { length: list.length },
  }
}
