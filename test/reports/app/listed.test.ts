import { describe, expect, it } from "vitest"
import { maxListed, namesIn, readListed, usuallyListed, writeListed } from "../../../reports/app/samples/listed.ts"
import { syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const names = Array.from({ length: 12 }, (_, index) => `v${index}`)
const usual = names.slice(0, maxListed)

describe("the variants in the list of samples", () => {
  it("are the first ones, and the two that the report's answer is about", () => {
    const more = syntheticVariants.slice(1, 5).map((variant, index) => ({ ...variant, name: `more-${index}` }))
    const { report } = syntheticInput({ samples: 30, variants: [...syntheticVariants.slice(1), ...more] })
    const variants = report.variants.map(({ name }) => name)
    const last = variants.at(-1) as string
    const about = report.comparisons.find(({ candidate }) => candidate === last)!
    const asked = { ...report, decision: { ...report.decision!, about: about.candidate } }
    expect(usuallyListed(asked, variants)).toEqual([...variants.slice(0, maxListed - 1), last])
    expect(usuallyListed(asked, variants.slice(0, 3))).toEqual(variants.slice(0, 3))
  })

  it("come out of an address as they went in, in the report's order, whatever their names hold", () => {
    const odd = ["a,b", "100 %", "q&a=1#", "\ud800", "…", ...names]
    const chosen = ["a,b", "100 %", "q&a=1#", "\ud800", "v3"]
    const address = new URLSearchParams({ listed: writeListed(chosen, usual) }).toString()
    expect(readListed(new URLSearchParams(address).get("listed") ?? "", odd, usual)).toEqual(chosen)
    expect(writeListed(usual, usual)).toBe("")
  })

  it("are the usual ones where an address names none of them, and never more than there is room for", () => {
    expect(readListed("", names, usual)).toEqual(usual)
    expect(readListed("nobody,%E0%A4%A", names, usual)).toEqual(usual)
    expect(readListed(names.join(), names, usual)).toHaveLength(maxListed)
    expect(namesIn("%E0%A4%A,b")).toEqual(["%E0%A4%A", "b"])
  })
})
