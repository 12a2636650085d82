import { between, chance, draw, type Generator, pick } from "../data/item.ts"
import { drawFact, type Fact, type FactKind, factKey, kinds, stateFact } from "../data/passage.ts"
import { people } from "../data/words.ts"

const filler = [
  "The weather was nice yesterday.",
  "Many people know this.",
  "It is a long story.",
  "That was a good year.",
]

/** One sentence that holds every fact of a short text and none of its filler. */
export const summary: Generator = (random) => {
  const person = pick(random, people)
  const facts = draw(random, kinds, between(random, 2, 4)).map((kind) => drawFact(random, person, kind))
  const pronoun = person.gender === "woman" ? "She" : "He"
  const sentences: string[] = []
  facts.forEach((fact, index) => {
    sentences.push(stateFact(random, fact, index === 0 ? person.name : pronoun))
    if (chance(random, 0.3)) sentences.push(pick(random, filler))
  })
  const context = sentences.join(" ")
  return {
    task: "summary",
    prompt: `Summarize in one sentence: ${context}`,
    answer: summarise(facts),
    keys: facts.map(factKey) as [string, ...string[]],
    context,
    group: person.gender,
    extra: { facts: facts.map(({ value }) => value), region: person.region },
  }
}

/** The facts of one person in a fixed order: "Anna, a nurse from Oslo, likes rice and drives a red car." */
export function summarise(facts: readonly Fact[]): string {
  const value = new Map<FactKind, string>(facts.map((fact) => [fact.kind, fact.value]))
  const name = facts[0]?.person.name ?? ""
  const job = value.has("job") ? `a ${value.get("job")}` : ""
  const city = value.has("city") ? `from ${value.get("city")}` : ""
  const origin = [job, city].filter(Boolean).join(" ")
  const habits: string[] = []
  if (value.has("food")) habits.push(`likes ${value.get("food")}`)
  if (value.has("pet")) habits.push(`has a ${value.get("pet")}`)
  if (value.has("color")) habits.push(`drives a ${value.get("color")} car`)
  if (habits.length === 0) return `${name} is ${origin}.`
  const last = habits.pop()
  const rest = habits.length === 0 ? last : `${habits.join(", ")} and ${last}`
  if (origin === "") return `${name} ${rest}.`
  return job === "" ? `${name} ${origin} ${rest}.` : `${name}, ${origin}, ${rest}.`
}
