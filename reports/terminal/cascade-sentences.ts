import type { RouterCurve } from "../../src/core/report/frontier.ts"

/** One sentence for each cascade; those of which the same is said share theirs: `Asking a, b or c first and d … saves nothing`. */
export function cascadeSentences(cascades: readonly Pick<RouterCurve, "stages" | "sentence">[]): readonly string[] {
  const firstsOf = new Map<string, string[]>()
  for (const {
    stages: [first = ""],
    sentence,
  } of cascades) {
    if (sentence === undefined) continue
    const opening = `Asking ${first} first`
    const isUsual = sentence.startsWith(opening)
    const rest = isUsual ? sentence.slice(opening.length) : sentence
    const firsts = firstsOf.get(rest) ?? []
    firstsOf.set(rest, isUsual ? [...firsts, first] : firsts)
  }
  return [...firstsOf].map(([rest, firsts]) => (firsts.length === 0 ? rest : `Asking ${anyOf(firsts)} first${rest}`))
}

function anyOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
}
