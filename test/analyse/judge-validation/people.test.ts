import { describe, expect, it } from "vitest"
import { agreementAmongPeople, type LabelledItem } from "../../../src/analyse/judge-validation/people.ts"
import { readGolden } from "../../stats/golden.ts"

const label = (labeller: string, score: number, policy: string | null = null) => ({ labeller, score, policy, at: null })
const item = (id: string, scores: readonly (number | null)[], more: Partial<LabelledItem> = {}): LabelledItem => ({
  id,
  judge: null,
  lastWord: null,
  labels: scores.flatMap((score, i) => (score === null ? [] : [label(`p${i}`, score)])),
  ...more,
})
const numberOf = (figure: { status: string; value?: number } | undefined) =>
  figure?.status === "known" ? (figure.value as number) : Number.NaN

interface Expected {
  readonly fleiss?: number
  readonly gwet_ac1?: number | null
  readonly icc?: { readonly ICC2: number }
  readonly krippendorff?: Readonly<Record<"nominal" | "ordinal", number | string>>
}
const golden = readGolden<{ readonly ratings_items_by_raters?: readonly (readonly (number | null)[])[] }, Expected>(
  "agreement",
).filter(({ expected, inputs }) => expected.fleiss !== undefined && inputs.ratings_items_by_raters !== undefined)

describe("agreement among people", () => {
  it.each(golden.slice(0, 12))("has statsmodels' and krippendorff's values: $id", ({ inputs, expected }) => {
    const rows = inputs.ratings_items_by_raters as readonly (readonly number[])[]
    const people = agreementAmongPeople(
      rows.map((row, i) => item(`i${i}`, row)),
      { seed: 1, alpha: 0.05 },
    )
    const values = new Set(rows.flat()).size
    if (values < 2) return expect(people?.alpha).toMatchObject({ status: "unknown" })
    expect(numberOf(people?.fleissKappa)).toBeCloseTo(expected.fleiss as number, 10)
    expect(numberOf(people?.gwetAc1)).toBeCloseTo(expected.gwet_ac1 as number, 10)
    if (expected.icc && Number.isFinite(expected.icc.ICC2))
      expect(numberOf(people?.icc)).toBeCloseTo(expected.icc.ICC2, 10)
    const alpha = expected.krippendorff?.[values > 2 ? "ordinal" : "nominal"]
    if (values <= 20 && typeof alpha === "number") expect(numberOf(people?.alpha)).toBeCloseTo(alpha, 10)
  })

  it("takes missing labels: alpha and AC of all, Fleiss and ICC of what everybody labelled, and says so where that is too little", () => {
    const people = agreementAmongPeople(
      [item("a", [1, 1, null]), item("b", [0, 1, null]), item("c", [null, 0, 0]), item("d", [1, 1, 1])],
      { seed: 1, alpha: 0.05 },
    )
    expect(people).toMatchObject({ labelled: 4, several: 4, disputed: 1 })
    expect(people?.labellers).toEqual([
      { labeller: "p0", labels: 3 },
      { labeller: "p1", labels: 4 },
      { labeller: "p2", labels: 2 },
    ])
    expect(people?.alpha.status).toBe("known")
    expect(people?.fleissKappa).toMatchObject({ reason: "fewer than two answers were labelled by everybody" })
  })

  it("sets the judge against each person, against the majority, and against the last words", () => {
    const people = agreementAmongPeople(
      [
        item("a", [1, 1, 0], { judge: 1 }),
        item("b", [0, 1, 0], { judge: 1, lastWord: 1 }),
        item("c", [1, 0], { judge: 1 }),
        item("d", [0, 0, 0], { judge: 0 }),
        item("e", [1, 1], { judge: null }),
      ],
      { seed: 1, alpha: 0.05 },
    )
    const against = Object.fromEntries(
      people!.against.map(({ who, agreement }) => [
        who,
        agreement.status === "known" ? [agreement.value, agreement.n] : 0,
      ]),
    )
    expect(against).toEqual({
      p0: [3 / 4, 4],
      p1: [3 / 4, 4],
      p2: [1 / 3, 3],
      // Of a: 1; of b: 0; c has none; of d: 0.
      "the majority": [2 / 3, 3],
      "the last words": [1, 1],
    })
    expect(people).toMatchObject({ disputed: 3, adjudicated: 1 })
    // Those without a last word come first.
    expect(people?.disputes.map(({ id }) => id)).toEqual(["a", "c", "b"])
  })

  it("keeps the policies apart: the same people may agree by one and differ by another", () => {
    const items = Array.from({ length: 12 }, (_, i) => ({
      ...item(`i${i}`, []),
      judge: i % 2,
      labels: [
        label("ann", i % 2, "strict"),
        label("ben", i % 2, "strict"),
        label("ann", i % 2, "loose"),
        label("ben", Number(i % 3 === 0), "loose"),
      ],
    }))
    const people = agreementAmongPeople(items, { seed: 1, alpha: 0.05 })
    const byPolicy = new Map(people?.policies.map((policy) => [policy.policy, policy]))
    expect(numberOf(byPolicy.get("strict")?.alpha)).toBe(1)
    expect(numberOf(byPolicy.get("loose")?.alpha)).toBeLessThan(0.5)
    expect(byPolicy.get("strict")?.disputed).toBe(0)
    expect(byPolicy.get("loose")?.disputed).toBe(6)
    const ben = byPolicy.get("loose")?.against.find(({ who }) => who === "ben")
    expect(numberOf(ben?.agreement)).toBe(0.5)
  })

  it("is nothing where one person labelled", () => {
    expect(agreementAmongPeople([item("a", [1]), item("b", [0])], { seed: 1, alpha: 0.05 })).toBeNull()
  })
})
