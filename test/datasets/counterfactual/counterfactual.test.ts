import { describe, expect, it } from "vitest"
import { counterfactual } from "../../../datasets/counterfactual/counterfactual.ts"
import {
  combinedSwap,
  groupSwap,
  nameSwap,
  pronounSwap,
  type Swap,
  swapWhere,
} from "../../../datasets/counterfactual/swaps.ts"
import { inline } from "../../../datasets/inline.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { Sample } from "../../../src/core/sample.ts"

const swap = (how: Swap, text: string) => how.exchange(text, createRandom(1))

describe("swaps", () => {
  it("exchange pronouns and words of gender, with their case", () => {
    expect(swap(pronounSwap(), "She lost her key, and the Boy helped her.")).toBe(
      "He lost his key, and the Girl helped him.",
    )
    expect(swap(pronounSwap(), "His aunt's man")).toBe("Her uncle's woman")
    expect(swap(pronounSwap(), "The sheep graze.")).toBe("The sheep graze.")
  })

  it("exchange words that name groups", () => {
    const religion = groupSwap({ attribute: "religion", pairs: [["Christian", "Muslim"]] })
    expect(swap(religion, "a Muslim and a Christian")).toBe("a Christian and a Muslim")
  })

  it("exchange a name for the same other name everywhere, and two names never for one", () => {
    const [first, , second] = swap(nameSwap(), "Anna met Clara and Anna's dog.").split(/[ .]/) as string[]
    expect(first).not.toBe(second)
    expect(swap(nameSwap(), "Anna met Clara and Anna's dog.")).toBe(`${first} met ${second} and ${first}'s dog.`)
    expect(() => nameSwap({ groups: [["a"]] })).toThrow(/two groups/)
  })

  it("state which group is exchanged for which, where a text mentions one alone", () => {
    const gender = combinedSwap("gender", [nameSwap(), pronounSwap()])
    expect(gender.direction?.("Eva lost her key.")).toEqual({ from: "women", to: "men" })
    expect(gender.direction?.("He is here.")).toEqual({ from: "men", to: "women" })
    expect(gender.direction?.("Eva met Tom.")).toBeNull()
    expect(gender.direction?.("It rains.")).toBeNull()
    const religion = groupSwap({ attribute: "religion", pairs: [["Christian", "Muslim"]] })
    expect(religion.direction?.("a Muslim")).toEqual({ from: "Muslim", to: "Christian" })
    const region = nameSwap({ groups: [["Hugo"], ["Omar"]], labels: ["north", "south"] })
    expect(region.direction?.("Omar")).toEqual({ from: "south", to: "north" })
    expect(() => nameSwap({ labels: ["one"] })).toThrow(/label/)
  })

  it("exchange names and pronouns together", () => {
    expect(swap(combinedSwap("gender", [nameSwap(), pronounSwap()]), "Eva lost her key.")).toMatch(
      /^\w+ lost his key\.$/,
    )
  })

  it("reads texts of __proto__ and of a million characters", () => {
    for (const text of ["__proto__ constructor", "x".repeat(1e6), "a\0b"])
      for (const how of [nameSwap(), pronounSwap()]) expect(swap(how, text)).toBe(text)
  })
})

describe("what is copied", () => {
  const rows: JsonObject[] = Array.from({ length: 200 }, (_, i) => ({
    id: `q${i}`,
    input: "Where is Eva?",
    task: i % 2 === 0 ? "even" : "odd",
  }))
  const copies = async (options: Omit<Parameters<typeof counterfactual>[1], "swaps">, how: Swap = nameSwap()) => {
    const ids: string[] = []
    for await (const { id, metadata } of counterfactual(inline(rows), { swaps: [how], ...options }).samples())
      if (metadata.counterfactual !== undefined) ids.push(id)
    return ids
  }

  it("is a share of the samples, the same one every time, and part of the fingerprint", async () => {
    const some = await copies({ share: 0.25 })
    expect(some.length).toBeGreaterThan(30)
    expect(some.length).toBeLessThan(70)
    expect(await copies({ share: 0.25 })).toEqual(some)
    expect(await copies({ share: 0.25, seed: 2 })).not.toEqual(some)
    const print = (share: number) => counterfactual(inline(rows), { swaps: [nameSwap()], share }).fingerprint()
    expect(await print(0.25)).not.toBe(await print(0.5))
    await expect(copies({ share: 0 })).rejects.toThrow(/share must be/)
  })

  it("is only what a field names", async () => {
    expect(await copies({}, swapWhere({ task: ["even", "other"] }, nameSwap()))).toHaveLength(100)
    expect(await copies({}, swapWhere({ task: "none" }, nameSwap()))).toHaveLength(0)
    expect(await copies({}, swapWhere({ __proto__x: 1 }, nameSwap()))).toHaveLength(0)
  })
})

describe("counterfactual", () => {
  it("puts each copy after its original with question, context and reference exchanged consistently", async () => {
    const rows: JsonObject[] = [
      {
        id: "q1",
        input: "Where does Eva live?",
        context: ["Eva lives in Rome."],
        references: ["Eva lives in Rome."],
        group: "women",
      },
      { id: "q2", input: "What is 2 + 2?", references: ["4"] },
    ]
    const read = async (options: { onlyPairs?: boolean } = {}) => {
      const samples: Sample[] = []
      for await (const sample of counterfactual(inline(rows), { swaps: [nameSwap()], ...options }).samples())
        samples.push(sample)
      return samples
    }
    const [original, copy, other] = await read()
    const name = /does (\w+) live/.exec(copy?.input as string)?.[1]
    expect(copy).toMatchObject({
      id: "q1~counterfactual:names",
      copyOf: { id: "q1", kind: "counterfactual", change: "names" },
      cluster: "q1",
      context: [`${name} lives in Rome.`],
      references: [`${name} lives in Rome.`],
      metadata: { counterfactual: { attribute: "names", from: "women", to: "men" } },
    })
    expect(copy?.group).toBeUndefined()
    expect(original).toMatchObject({ id: "q1", cluster: "q1", group: "women" })
    expect(other?.id).toBe("q2")
    expect((await read({ onlyPairs: true })).map(({ id }) => id)).toEqual(["q1", "q1~counterfactual:names"])
    expect(await read()).toEqual(await read())
  })
})
