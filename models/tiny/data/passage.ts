import type { Random } from "../../../src/core/random.ts"
import { between, chance, draw, pick } from "./item.ts"
import { cities, colors, foods, jobs, type Person, people, pets } from "./words.ts"

/** What a passage can say of a person: its values, two ways to say it, the question and the answer. */
export const factKinds = {
  city: {
    values: cities,
    sentences: ["{} lives in {}.", "{} has a flat in {}."],
    question: "Where does {} live?",
    answer: "{} lives in {}.",
  },
  job: {
    values: jobs,
    sentences: ["{} works as a {}.", "{} is a {}."],
    question: "What is the job of {}?",
    answer: "{} works as a {}.",
  },
  food: {
    values: foods,
    sentences: ["{} likes to eat {}.", "{} loves {}."],
    question: "What does {} like to eat?",
    answer: "{} likes to eat {}.",
  },
  pet: {
    values: pets,
    sentences: ["{} has a {}.", "{} owns a {}."],
    question: "What pet does {} have?",
    answer: "{} has a {}.",
  },
  color: {
    values: colors,
    sentences: ["{} drives a {} car.", "{} bought a {} car."],
    question: "What color is the car of {}?",
    answer: "{} drives a {} car.",
  },
} as const

export type FactKind = keyof typeof factKinds
export const kinds = Object.keys(factKinds) as FactKind[]

/** One thing that a passage says. */
export interface Fact {
  readonly person: Person
  readonly kind: FactKind
  readonly value: string
}

/** What the models say when the passage has no answer. */
export const unknownAnswer = "The text does not say."

/** The meaning of a fact, whatever sentence says it. */
export function factKey({ person, kind, value }: Fact): string {
  return `fact:${person.name}/${kind}/${value}`
}

/** A random value for one kind of fact about a person. */
export function drawFact(random: Random, person: Person, kind: FactKind): Fact {
  return { person, kind, value: pick(random, factKinds[kind].values) }
}

/**
 * Four to six facts about three to five people. The first is the one that will be asked; the second is of the same
 * kind about somebody else, so that the kind alone does not give the answer away.
 */
export function drawFacts(random: Random): readonly Fact[] {
  const group = draw(random, people, between(random, 3, 5))
  const kind = pick(random, kinds)
  const [asked, other] = group as [Person, Person]
  const facts = [drawFact(random, asked, kind), drawFact(random, other, kind)]
  const slots = group.flatMap((person) => kinds.map((each) => ({ person, kind: each })))
  const free = slots.filter((slot) => slot.kind !== kind || (slot.person !== asked && slot.person !== other))
  for (const slot of draw(random, free, between(random, 2, 4))) facts.push(drawFact(random, slot.person, slot.kind))
  return facts
}

/** The sentence that states a fact; `name` may be a pronoun. */
export function stateFact(random: Random, fact: Fact, name = fact.person.name): string {
  const [usual, other] = factKinds[fact.kind].sentences
  return (chance(random, 0.4) ? other : usual).replace("{}", name).replace("{}", fact.value)
}

/** The answer that states a fact. */
export function answerFact(fact: Fact): string {
  return factKinds[fact.kind].answer.replace("{}", fact.person.name).replace("{}", fact.value)
}
