import type { Random } from "../../../src/core/random.ts"
import { chance, type Generator, type Item, pick } from "../data/item.ts"
import {
  answerFact,
  drawFacts,
  type Fact,
  type FactKind,
  factKey,
  factKinds,
  kinds,
  stateFact,
  unknownAnswer,
} from "../data/passage.ts"
import type { Person } from "../data/words.ts"

const unanswerableShare = 0.22

/** A question on a passage about several people; a fifth of them the passage cannot answer. */
export const qa: Generator = (random) => {
  const facts = drawFacts(random)
  return askPassage(passageText(random, random.shuffle(facts)), facts, ask(random, facts))
}

/** What is asked: something about a person, and the fact that answers it; null when the passage does not say. */
export interface Question {
  readonly person: Person
  readonly kind: FactKind
  readonly fact: Fact | null
}

/** The facts as sentences in the given order. */
export function passageText(random: Random, facts: readonly Fact[]): string {
  return facts.map((fact) => stateFact(random, fact)).join(" ")
}

/** The item that asks one question on a passage. */
export function askPassage(context: string, facts: readonly Fact[], { person, kind, fact }: Question): Item {
  return {
    task: "qa",
    prompt: `${context} ${factKinds[kind].question.replace("{}", person.name)}`,
    answer: fact ? answerFact(fact) : unknownAnswer,
    keys: facts.map(factKey) as [string, ...string[]],
    context,
    group: person.gender,
    extra: { answerable: fact !== null, region: person.region },
  }
}

/** The same with numbered sentences, and the number of the one that supports the answer. */
export const cite: Generator = (random) => {
  const facts = drawFacts(random)
  const { person, kind, fact } = ask(random, facts)
  const order = random.shuffle(facts)
  const context = order.map((each, index) => `(${index + 1}) ${stateFact(random, each)}`).join(" ")
  return {
    task: "cite",
    prompt: `${context} ${factKinds[kind].question.replace("{}", person.name)} Cite the sentence.`,
    answer: fact ? `${answerFact(fact)} (${order.indexOf(fact) + 1})` : unknownAnswer,
    keys: facts.map(factKey) as [string, ...string[]],
    context,
    group: person.gender,
    extra: { answerable: fact !== null, region: person.region },
  }
}

/** Asks for the first fact, or for something about its person that the passage leaves out. */
function ask(random: Random, facts: readonly Fact[]): Question {
  const fact = facts[0] as Fact
  const { person } = fact
  if (!chance(random, unanswerableShare)) return { person, kind: fact.kind, fact }
  const stated = new Set(facts.filter((each) => each.person === person).map((each) => each.kind))
  const silent = kinds.filter((kind) => !stated.has(kind))
  return silent.length === 0 ? { person, kind: fact.kind, fact } : { person, kind: pick(random, silent), fact: null }
}
