import { contentHash } from "../core/json.ts"
import type { Sample } from "../core/sample.ts"
import { questionWords } from "../text/questions/question-words.ts"
import { createRepeatFinder } from "../text/questions/repeated-questions.ts"

/** What calls with the same fixed text used. */
export interface PromptUse {
  /** Its beginning, as it was first sent. */
  readonly text: string
  /** Where it stands: the system message, or the first words of the first message of a call that has none. */
  readonly part: "system" | "opening"
  readonly models: readonly string[]
  readonly calls: number
  /** US dollars of the calls whose cost is known. */
  readonly costUsd: number
}

/** Collects calls by their fixed text. */
export interface PromptUses {
  /** @param usd what the call cost; null: unknown */
  add(input: Sample["input"], model: string, usd: number | null): void
  /** The fewest prompts that make up a share of the known cost, of the calls where there is none; at most 100. */
  dearest(share: number): { readonly prompts: readonly PromptUse[]; readonly allPrompts: number }
}

type Tally = { -readonly [Name in keyof Omit<PromptUse, "models">]: PromptUse[Name] } & { readonly models: Set<string> }

/** Words of an opening that has to be the same for two calls to have one template. */
const openingWords = 8
/** Characters of a prompt that are shown. */
const shownLength = 300
const maxPrompts = 100

/** No calls yet. Numbers and signs are not read: a date or an id in a system message makes no other prompt of it. */
export function createPromptUses(): PromptUses {
  const byText = new Map<string, Tally>()
  const byWords = new Map<string, Tally>()
  const finder = createRepeatFinder()
  const tallyOf = ({ part, fixed, shown }: FixedText): Tally => {
    const exact = contentHash([part, fixed], 16)
    const existing = byText.get(exact)
    if (existing) return existing
    const { words, figures } = questionWords(fixed)
    const ignored = new Set(figures)
    const plain = words.filter((word) => !ignored.has(word)).join(" ")
    const key = contentHash([part, plain], 16)
    const tally = byWords.get(key) ?? {
      text: shown.slice(0, shownLength),
      part,
      calls: 0,
      costUsd: 0,
      models: new Set(),
    }
    if (!byWords.has(key)) finder.add({ id: key }, { text: plain, asked: part, expected: null })
    byWords.set(key, tally)
    byText.set(exact, tally)
    return tally
  }
  return {
    add(input, model, usd) {
      const tally = tallyOf(fixedText(input))
      tally.calls++
      tally.costUsd += usd ?? 0
      tally.models.add(model)
    },
    dearest(share) {
      const clusters = finder.clusters()
      const joined = new Map<string, Tally>()
      for (const [key, tally] of byWords) {
        const cluster = clusters.get(key) ?? key
        const first = joined.get(cluster)
        if (first) join(first, tally)
        else joined.set(cluster, tally)
      }
      const all = [...joined.values()]
      const sumOf = (field: "costUsd" | "calls") => all.reduce((sum, tally) => sum + tally[field], 0)
      const by = sumOf("costUsd") > 0 ? "costUsd" : "calls"
      all.sort((a, b) => b[by] - a[by] || b.calls - a.calls)
      const enough = share * sumOf(by)
      const prompts: PromptUse[] = []
      for (let sum = 0; sum < enough && prompts.length < Math.min(maxPrompts, all.length); ) {
        const { models, ...tally } = all[prompts.length] as Tally
        prompts.push({ ...tally, models: [...models] })
        sum += tally[by]
      }
      return { prompts, allPrompts: all.length }
    },
  }
}

function join(first: Tally, other: Tally): void {
  first.calls += other.calls
  first.costUsd += other.costUsd
  for (const model of other.models) first.models.add(model)
}

interface FixedText extends Pick<PromptUse, "part"> {
  readonly fixed: string
  readonly shown: string
}

/** What is the same in all calls of a prompt: the system message; of a call without one, the first words that are asked. */
function fixedText(input: Sample["input"]): FixedText {
  const [first] = typeof input === "string" ? [{ role: "user", content: input }] : (input ?? [])
  const shown = first?.content ?? ""
  if (first?.role === "system" || first?.role === "developer") return { part: "system", fixed: shown, shown }
  const opening = questionWords(shown.slice(0, shownLength)).words.slice(0, openingWords)
  return { part: "opening", fixed: opening.join(" "), shown }
}
