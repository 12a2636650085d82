import { describe, expect, it } from "vitest"
import { AnswerList } from "../../../src/rows/columns/answer-list.ts"
import { sharedAnswers } from "../../../src/rows/columns/shared-answers.ts"

const listOf = (answers: readonly (readonly [id: string, repeat: number, cluster?: string])[]) =>
  new AnswerList({
    ids: answers.map(([id]) => id),
    repeats: answers.some(([, repeat]) => repeat > 0) ? Int32Array.from(answers, ([, repeat]) => repeat) : null,
    splitAt: answers.some(([, , cluster]) => cluster !== undefined)
      ? (index) => {
          const cluster = answers[index]?.[2]
          return cluster === undefined ? undefined : { cluster }
        }
      : null,
  })

describe("AnswerList", () => {
  it("has no order of its own where the answers lie by sample and repeat", () => {
    expect(
      listOf([
        ["a", 0],
        ["a", 1],
        ["b", 0],
      ]).order,
    ).toBeNull()
  })

  it("orders by sample id, then repeat", () => {
    expect(
      listOf([
        ["b", 1],
        ["a", 0],
        ["b", 0],
      ]).order,
    ).toEqual(Int32Array.of(1, 2, 0))
  })

  it("finds an answer by its sample and repeat, in whatever order they lie", () => {
    const list = listOf([
      ["b", 1],
      ["a", 0],
      ["b", 0],
    ])
    expect([list.find("b", 1), list.find("b", 0), list.find("a", 0)]).toEqual([0, 2, 1])
    expect([list.find("b", 2), list.find("a", 1), list.find("c", 0)]).toEqual([-1, -1, -1])
    const once = listOf([
      ["b", 0],
      ["a", 0],
    ])
    expect([once.find("a", 0), once.find("a", 1)]).toEqual([1, -1])
  })

  it("resamples clusters as one, and samples with all their repeats", () => {
    const list = listOf([
      ["a", 0],
      ["a", 1],
      ["b", 0, "x"],
      ["c", 0],
      ["d", 0, "x"],
    ])
    expect(list.units()).toEqual({ of: Int32Array.of(0, 0, 1, 2, 1), count: 3 })
  })
})

describe("sharedAnswers", () => {
  const build = (shared: ReturnType<typeof sharedAnswers>, ids: readonly string[], name: "rows" | "facts" = "rows") => {
    const builder = shared.begin(name)
    for (const id of ids) builder.add(id, 0)
    return builder.done()
  }

  it("gives lists of the same answers one list", () => {
    const shared = sharedAnswers(new Map())
    expect(build(shared, ["a", "b"])).toBe(build(shared, ["a", "b"]))
  })

  it("gives others a list of their own: longer, shorter, or of other answers", () => {
    const shared = sharedAnswers(new Map())
    const first = build(shared, ["a", "b"])
    expect(build(shared, ["a", "b", "c"]).ids).toEqual(["a", "b", "c"])
    expect(build(shared, ["a"]).ids).toEqual(["a"])
    expect(build(shared, ["a", "c"]).ids).toEqual(["a", "c"])
    expect(first.ids).toEqual(["a", "b"])
  })

  it("tells repeats apart", () => {
    const shared = sharedAnswers(new Map())
    const first = build(shared, ["a", "b"])
    const builder = shared.begin("rows")
    builder.add("a", 0)
    builder.add("b", 1)
    const second = builder.done()
    expect(second).not.toBe(first)
    expect([second.repeat(0), second.repeat(1)]).toEqual([0, 1])
  })

  it("reads what the samples are split by", () => {
    const shared = sharedAnswers(new Map([["b", { group: "g", cluster: "x" }]]))
    const list = build(shared, ["a", "b"])
    expect([list.splitAt?.(0), list.splitAt?.(1)]).toEqual([undefined, { group: "g", cluster: "x" }])
  })
})
