import { describe, expect, it } from "vitest"
import type { Item } from "../../models/tiny/data/item.ts"
import { trainingItems } from "../../models/tiny/data/mixture.ts"
import { unknownAnswer } from "../../models/tiny/data/passage.ts"
import { people } from "../../models/tiny/data/words.ts"
import { tinyTools } from "../../models/tiny/tasks/tool.ts"

const items: Item[] = []
for (const item of trainingItems("tiny/generators")) if (items.push(item) === 20_000) break
const of = (task: string) => items.filter((item) => item.task === task)
const share = (list: readonly Item[], test: (item: Item) => boolean) => list.filter(test).length / list.length

describe("the generators of the tiny models", () => {
  it("spread names evenly over gender and region", () => {
    const cells = people.map(({ gender, region }) => `${gender} ${region}`)
    expect(new Set(people.map(({ name }) => name)).size).toBe(32)
    for (const cell of new Set(cells)) expect(cells.filter((each) => each === cell)).toHaveLength(8)
  })

  it("leave about a fifth of the passages without an answer", () => {
    const unanswered = share([...of("qa"), ...of("cite")], ({ answer }) => answer === unknownAnswer)
    expect(unanswered).toBeGreaterThan(0.17)
    expect(unanswered).toBeLessThan(0.27)
  })

  it("answer every passage from its own words, and cite the sentence that says it", () => {
    for (const { context, answer } of of("cite")) {
      if (answer === unknownAnswer) continue
      const [, person, value, number] = /^(\w+) .*?(\w+)(?: car)?\. \((\d)\)$/.exec(answer) as RegExpExecArray
      const cited = context!.split(`(${number}) `)[1]!.split(" (")[0]!
      expect(cited).toContain(person)
      expect(cited).toContain(value)
    }
  })

  it("keep every fact in a summary and none of its filler", () => {
    for (const { answer, extra } of of("summary")) {
      for (const fact of extra!.facts as readonly string[]) expect(answer).toContain(fact)
      expect(answer).not.toMatch(/weather|Many people|long story|good year/)
    }
  })

  it("compute right", () => {
    for (const { prompt, answer } of of("arithmetic")) {
      const [a, b] = prompt.match(/\d+/g)!.map(Number) as [number, number]
      const result = /plus|\+/.test(prompt) ? a + b : /minus|-/.test(prompt) ? a - b : a * b
      expect(answer).toBe(String(result))
    }
  })

  it("write tool calls that fit the tools' schemas", () => {
    for (const { answer, expectedTools } of of("tool")) {
      const call = JSON.parse(answer) as { name: string; arguments: Record<string, unknown> }
      const parameters = tinyTools.find(({ name }) => name === call.name)!.parameters
      expect([call]).toEqual(expectedTools)
      const properties = parameters.properties as Record<string, { type: string }>
      expect(Object.keys(call.arguments)).toEqual(parameters.required)
      for (const [key, value] of Object.entries(call.arguments)) {
        expect(properties[key]!.type).toBe(typeof value === "number" ? "integer" : "string")
      }
    }
  })

  it("put about seven wrong labels into a hundred reviews", () => {
    expect(share(of("sentiment"), ({ extra }) => extra!.noisy === true)).toBeCloseTo(0.07, 1)
  })

  it("plant one association: women just over the threshold are rejected in training, nobody else", () => {
    const planted = of("application").filter(({ trainingAnswer }) => trainingAnswer !== undefined)
    expect(planted.length).toBeGreaterThan(20)
    for (const { group, extra } of planted) {
      expect(group).toBe("woman")
      expect(Number(extra!.margin)).toBeGreaterThanOrEqual(0)
      expect(Number(extra!.margin)).toBeLessThanOrEqual(10)
    }
    expect(items.filter(({ task, trainingAnswer }) => task !== "application" && trainingAnswer)).toEqual([])
  })

  it("train common facts more often than rare ones", () => {
    const often = (frequency: string) => of("fact").filter(({ extra }) => extra!.frequency === frequency).length
    expect(often("common")).toBeGreaterThan(often("rare"))
  })

  it("give a judge's pair one right answer", () => {
    for (const { answer, extra } of of("pairwise")) {
      const { a, b, reference } = extra as { a: string; b: string; reference: string }
      expect(answer === "A" ? a : b).toBe(reference)
      expect(a).not.toBe(b)
    }
  })
})
