import { describe, expect, it } from "vitest"
import { createMessageClusters, messagePattern } from "../../../src/analyse/sections/causes/failure-clusters.ts"
import { createInputWords } from "../../../src/analyse/sections/input-words.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { Sample } from "../../../src/core/sample.ts"

const sample = (input: string): Sample => ({
  id: input,
  input,
  references: [],
  context: [],
  choices: [],
  expectedTools: [],
  metadata: {},
})

describe("messages of failures", () => {
  it.each([
    ['wait 12.5 s for "m-1"', 'wait # s for "…"'],
    ["HTTP 429: wait 12 s (request 429)", "HTTP 429: wait # s (request #)"],
    ["at https://host.example/v1?key=1 (id 8f14e45fceea)", "at URL (id #)"],
    ["request 123e4567-e89b-12d3-a456-426614174000 timed out after 30000 ms", "request # timed out after # ms"],
    ["two\nlines\t of  space", "two lines of space"],
  ])("%s is %s", (message, pattern) => {
    expect(messagePattern(message)).toBe(pattern)
  })
  it("keep their class, are counted and name three samples", () => {
    const clusters = createMessageClusters()
    for (let i = 0; i < 5; i++) clusters.add(`died after ${i} s`, `q${i}`, "http_5xx")
    clusters.add("", "q9", "timeout_total")
    expect(clusters.clusters()).toEqual([
      {
        message: "http_5xx: died after # s",
        kind: "http_5xx",
        example: "died after 0 s",
        count: 5,
        samples: ["q0", "q1", "q2"],
      },
      { message: "timeout_total", kind: "timeout_total", example: "", count: 1, samples: ["q9"] },
    ])
  })
  it("are read in bounded time and kept in bounded number", () => {
    const clusters = createMessageClusters()
    for (let i = 0; i < 2_000; i++) clusters.add(`${"x".repeat(i % 700)} "${'"'.repeat(5_000)}`, "q")
    expect(clusters.clusters().length).toBeLessThanOrEqual(501)
    for (const { message } of clusters.clusters()) expect(message.length).toBeLessThanOrEqual(160)
  })
})

describe("words of the input", () => {
  const fill = ["red", "blue", "green", "large", "small", "old", "new", "warm", "cold", "soft"]

  /** 400 inputs of random words, a tenth with "contract clause"; worse where `isWorse` says so. */
  function clustersOf(seed: string, isWorse: (has: boolean, random: number) => boolean) {
    const random = createRandom(seed)
    const words = createInputWords(400)
    const worse: boolean[] = []
    for (let i = 0; i < 400; i++) {
      const has = i % 10 === 0
      const text = fill.filter(() => random.next() < 0.4).join(" ")
      words.add(i, sample(`${text}${has ? " the Contract, its clause" : ""}`))
      worse.push(isWorse(has, random.next()))
    }
    return words.clusters((position) => worse[position], 0.05)
  }

  it("that worse samples have in common are found, as one cluster", () => {
    const [first, ...more] = clustersOf("found", (has, random) => random < (has ? 0.7 : 0.1))
    expect(first?.words.toSorted()).toEqual(["clause", "contract", "its", "the"])
    expect(first?.samples).toBe(40)
    expect(more).toEqual([])
  })
  it("are named in at most one of twenty runs in which words have nothing to do with it", () => {
    const named = Array.from(
      { length: 200 },
      (_, i) => clustersOf(`null-${i}`, (_has, random) => random < 0.2).length > 0,
    )
    expect(named.filter(Boolean).length / 200).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 200))
  })
  it("are none where every sample, or no sample, got worse", () => {
    expect(clustersOf("all", () => true)).toEqual([])
    expect(clustersOf("none", () => false)).toEqual([])
  })
})
