import { describe, expect, it } from "vitest"
import { trainingCount } from "../../models/tiny/build-data.ts"
import { testSets } from "../../models/tiny/build-datasets.ts"
import { tasks, trainingItems } from "../../models/tiny/data/mixture.ts"
import { isHeldOut } from "../../models/tiny/data/split.ts"
import { meaningsOf } from "./meaning.ts"

const passageTasks = new Set(["qa", "cite", "summary"])

const prompts = new Set<string>()
const meanings = new Map([...tasks.keys()].map((name) => [name, new Set<string>()]))
const trainedKeys = new Set<string>()
let drawn = 0
for (const { task, prompt, answer, keys } of trainingItems("tiny/train")) {
  prompts.add(prompt)
  for (const meaning of meaningsOf(task, prompt, answer)) meanings.get(task)!.add(meaning)
  for (const key of keys) trainedKeys.add(key)
  if (++drawn === trainingCount) break
}
// Facts are one pool for all tasks that state them.
const statedFacts = new Set([...passageTasks].flatMap((task) => [...meanings.get(task)!]))

describe.each([...testSets()])("%s", (_file, items) => {
  it("asks nothing whose key trained", () => {
    expect(items.filter(({ keys }) => trainedKeys.has(keys[0]) || !isHeldOut(keys[0]))).toEqual([])
  })

  it("holds no prompt of the training data", () => {
    expect(items.filter(({ prompt }) => prompts.has(prompt))).toEqual([])
  })

  it("asks nothing that the training data says in other words", () => {
    const leaked = items.filter(({ task, prompt, answer }) => {
      const own = meaningsOf(task, prompt, answer)
      expect(own.length).toBeGreaterThan(0)
      // A passage is new when something that it states is nowhere in training.
      if (passageTasks.has(task)) return own.every((meaning) => statedFacts.has(meaning))
      return own.some((meaning) => meanings.get(task)!.has(meaning))
    })
    expect(leaked.map(({ prompt }) => prompt)).toEqual([])
  })

  it("has no two equal prompts", () => {
    expect(new Set(items.map(({ prompt }) => prompt)).size).toBe(items.length)
  })
})

it("reads meanings as finely as the generators: equal meanings have equal keys", () => {
  const keyOf = new Map<string, string>()
  let seen = 0
  for (const { task, prompt, answer, keys } of trainingItems("tiny/meanings")) {
    if (!passageTasks.has(task) && task !== "fact") {
      const meaning = `${task}: ${meaningsOf(task, prompt, answer).join()}`
      expect(keyOf.get(meaning) ?? keys[0]).toBe(keys[0])
      keyOf.set(meaning, keys[0])
    }
    if (++seen === 5_000) break
  }
})

it("trains every closed-book fact that it tests, in another wording", () => {
  const trained = new Set([...trainedKeys].filter((key) => key.startsWith("wording:")).map(subjectOf))
  const facts = testSets()
    .get("tiny-tasks.jsonl")!
    .filter(({ task }) => task === "fact")
  expect(facts.length).toBeGreaterThan(30)
  expect(facts.filter(({ keys }) => !trained.has(subjectOf(keys[0])))).toEqual([])
})

function subjectOf(key: string): string {
  return key.split("/").at(-1) as string
}
