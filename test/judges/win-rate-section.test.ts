import { expect, it } from "vitest"
import { winRateSection } from "../../judges/win-rate-section.ts"
import { judgedRow, verdict } from "../analyse/judge-validation/support.ts"

const compared = (id: string, first: number, second: number) =>
  judgedRow(id, [verdict("gpt", first === second ? first : 0.5, { orders: [{ first, second }], otherCharacters: 12 })])

it("shows a pairwise judge's win rates per variant: one order, both orders, at equal length", () => {
  const rows = [compared("a", 1, 1), compared("b", 1, 0), compared("c", 0, 0), compared("d", 1, 1)]
  const section = winRateSection("pairwise", [{ variant: "v", rows }])
  expect(section).toMatchObject({ kind: "win_rate", title: "Win rates of pairwise" })
  expect(section?.sentences[0]).toMatch(/^v wins 62\.5 % by gpt in both orders \(between/)
  expect(section?.data).toMatchObject({
    rows: [["v", "gpt", { value: 0.75 }, { value: 0.625 }, { status: "known" }, 1, 4]],
  })
})

it("has no section for judges that compare nothing", () => {
  expect(winRateSection("graded", [{ variant: "v", rows: [judgedRow("a", [verdict("gpt", 1)])] }])).toBeNull()
})
