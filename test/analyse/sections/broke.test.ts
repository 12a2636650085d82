import { describe, expect, it } from "vitest"
import { change } from "../../../src/analyse/sections/causes/count-changes.ts"
import { createMessageClusters, messagePattern } from "../../../src/analyse/sections/causes/failure-clusters.ts"
import { findCauses } from "../../../src/analyse/sections/causes/find-causes.ts"
import { createInputs, inputRules } from "../../../src/analyse/sections/causes/rules.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { sized } from "../../support/nightly.ts"

const sample = (input: string): Sample => fakeSample(input, { input, references: [] })

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

describe("causes", () => {
  const fill = ["red", "blue", "green", "large", "small", "old", "new", "warm", "cold", "soft"]

  /** 400 inputs of random words, a tenth with "contract clause"; worse where `isWorse` says so. */
  function causesOf(seed: string, isWorse: (has: boolean, random: number) => boolean) {
    const random = createRandom(seed)
    const inputs = createInputs(400)
    const changes = Uint8Array.from({ length: 400 }, (_, i) => {
      const has = i % 10 === 0
      const text = fill.filter(() => random.next() < 0.4).join(" ")
      inputs.add(i, sample(`${text}${has ? " the Contract, its clause" : ""}`))
      return isWorse(has, random.next()) ? change.loss : change.none
    })
    return findCauses(inputRules(inputs, []), changes, 0.05)
  }

  it("are words of the input that losses have in common, as one", () => {
    const [first, ...more] = causesOf("found", (has, random) => random < (has ? 0.7 : 0.1))
    expect(first?.name.kind === "input words" && first.name.words.toSorted()).toEqual([
      "clause",
      "contract",
      "its",
      "the",
    ])
    expect(first).toMatchObject({ samples: 40, partner: null })
    expect(first?.elsewhere?.samples).toBe(360)
    expect(more).toEqual([])
  })
  it("are named in at most one of twenty runs in which words have nothing to do with it", () => {
    const runs = sized(200, 60)
    const named = Array.from(
      { length: runs },
      (_, i) => causesOf(`null-${i}`, (_has, random) => random < 0.2).length > 0,
    )
    expect(named.filter(Boolean).length / runs).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs))
  })
  it("are none where every sample, or no sample, got worse", () => {
    expect(causesOf("all", () => true)).toEqual([])
    expect(causesOf("none", () => false)).toEqual([])
  })
  it("are two where two rules lose samples of their own, the clearer first", () => {
    const name = (value: string) => ({ kind: "fields", fields: [{ title: "topic", value }] }) as const
    const places = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
    const rule = (value: string, from: number, to: number) =>
      ({ name: name(value), side: "input", length: 1, inside: places(from, to) }) as const
    const changes = new Uint8Array(300).fill(change.none)
    changes.fill(change.loss, 0, 20)
    changes.fill(change.loss, 100, 112)
    const causes = findCauses([rule("b", 100, 130), rule("a", 0, 30), rule("c", 200, 230)], changes, 0.05)
    expect(causes.map(({ name: { kind: _, ...entry }, samples, losses }) => [entry, samples, losses])).toEqual([
      [{ fields: [{ title: "topic", value: "a" }] }, 30, 20],
      [{ fields: [{ title: "topic", value: "b" }] }, 30, 12],
    ])
    expect(causes[0]?.elsewhere).toEqual({ samples: 270, losses: 12 })
    // Those of the first are aside.
    expect(causes[1]?.elsewhere).toEqual({ samples: 240, losses: 0 })
  })
})
