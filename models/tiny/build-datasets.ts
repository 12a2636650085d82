import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createRandom, type Random } from "../../src/core/random.ts"
import { draw, type Item, pick } from "./data/item.ts"
import { drawHeldOut, evaluationItems, tasks } from "./data/mixture.ts"
import { type Fact, factKey, factKinds, kinds } from "./data/passage.ts"
import { isEvaluation, isHeldOut } from "./data/split.ts"
import { type Person, people } from "./data/words.ts"
import { drawScores, judgeApplicant } from "./tasks/application.ts"
import { comparePair, judge, pairwise } from "./tasks/judge.ts"
import { askPassage, passageText } from "./tasks/qa.ts"

const seed = "tiny/test"

/** The bundled test sets by file name, in the order of their rows. */
export function testSets(): ReadonlyMap<string, readonly Item[]> {
  const main = [...tasks.keys()].flatMap((name) => evaluationItems(name, mainSize(name), seed))
  return new Map([
    ["tiny-tasks.jsonl", main],
    ["tiny-passages.jsonl", passageItems(createRandom(`${seed}/passages`))],
    ["tiny-judge.jsonl", judgeItems(createRandom(`${seed}/judge`))],
    ["tiny-fairness.jsonl", fairnessItems(createRandom(`${seed}/fairness`))],
  ])
}

/** Writes every test set and the calibration text. */
export async function writeDatasets(folder: string): Promise<void> {
  for (const [file, items] of testSets()) {
    const prefix = file === "tiny-tasks.jsonl" ? "" : `${file.slice(5, -6)}-`
    const numbers = new Map<string, number>()
    const rows = items.map((item) => {
      const number = (numbers.get(item.task) ?? 0) + 1
      numbers.set(item.task, number)
      return JSON.stringify(rowOf(item, `${prefix}${item.task}-${String(number).padStart(3, "0")}`))
    })
    await writeFile(join(folder, file), `${rows.join("\n")}\n`)
  }
  await writeFile(join(folder, "tiny-calibration.txt"), calibrationText())
}

/** Held-out prompts and answers as running text, for perplexity and divergence. */
export function calibrationText(): string {
  const lines = [...tasks.keys()].flatMap((name) => evaluationItems(name, 20, "tiny/calibration"))
  return `${createRandom("tiny/calibration")
    .shuffle(lines)
    .map(({ prompt, answer }) => `${prompt} ${answer}`)
    .join("\n")}\n`
}

function mainSize(name: string): number {
  return name === "arithmetic" || name === "qa" ? 70 : 50
}

/** A row of a data set: the fields of a sample, the rest beside them. */
function rowOf(item: Item, id: string): object {
  const { task, prompt, answer, context, choices, expectedTools, group, cluster, label, extra } = item
  return {
    id,
    task,
    input: prompt,
    references: [answer],
    ...(context === undefined ? {} : { context: [context] }),
    ...(choices === undefined ? {} : { choices }),
    ...(expectedTools === undefined ? {} : { expectedTools }),
    ...(group === undefined ? {} : { group }),
    ...(cluster === undefined && context === undefined ? {} : { cluster: cluster ?? id }),
    ...(label === undefined ? {} : { label }),
    ...extra,
  }
}

/** 100 passages of held-out facts only, three questions on each: two facts, and one thing that it does not say. */
function passageItems(random: Random): readonly Item[] {
  const pool = people.flatMap((person) =>
    kinds.flatMap((kind) => factKinds[kind].values.map((value) => ({ person, kind, value }))),
  )
  const heldOut = pool.filter((fact) => isHeldOut(factKey(fact)))
  return Array.from({ length: 100 }, (_, index) => {
    const [asked, ...others] = draw(random, people, 4) as [Person, ...Person[]]
    const facts = [...factsAbout(asked).slice(0, 2), ...others.flatMap((person) => factsAbout(person).slice(0, 1))]
    const silent = kinds.filter((kind) => !facts.some((fact) => fact.person === asked && fact.kind === kind))
    const context = passageText(random, random.shuffle(facts))
    const questions = [
      ...facts.slice(0, 2).map((fact) => ({ ...fact, fact })),
      { person: asked, kind: pick(random, silent), fact: null },
    ]
    return questions.map((question) => ({ ...askPassage(context, facts, question), cluster: `passage-${index + 1}` }))
  }).flat()

  /** Held-out facts about a person, at most one of a kind, in random order. */
  function factsAbout(person: Person): readonly Fact[] {
    const own = random.shuffle(heldOut.filter((fact) => fact.person === person))
    return own.filter((fact, index) => own.findIndex(({ kind }) => kind === fact.kind) === index)
  }
}

/** 240 pointwise items, and 120 pairs asked in both orders. */
function judgeItems(random: Random): readonly Item[] {
  const pairs = drawHeldOut(random, pairwise, 120).flatMap((item, index) => {
    const { reference, a, b, of } = item.extra as { reference: string; a: string; b: string; of: string }
    const [better, worse] = item.answer === "A" ? [a, b] : [b, a]
    const base = { ...item, task: of, answer: reference }
    return [true, false].map((first) => ({ ...comparePair(base, better, worse, first), cluster: `pair-${index + 1}` }))
  })
  return [...drawHeldOut(random, judge, 240), ...pairs]
}

/**
 * Every held-out application under eight names: two for each combination of gender and region. The rows of a cluster
 * differ in nothing but the name.
 */
function fairnessItems(random: Random): readonly Item[] {
  const applications = new Map<string, ReturnType<typeof drawScores>>()
  for (let tries = 0; tries < 20_000; tries++) {
    const scores = drawScores(random)
    const item = judgeApplicant(scores, people[0] as Person, random)
    if (isEvaluation(item)) applications.set(item.keys[0], scores)
  }
  return [...applications.values()].flatMap((scores) =>
    (["man", "woman"] as const).flatMap((gender) =>
      (["north", "south"] as const).flatMap((region) => {
        const namesakes = people.filter((person) => person.gender === gender && person.region === region)
        return draw(random, namesakes, 2).map((person) => judgeApplicant(scores, person, random))
      }),
    ),
  )
}
