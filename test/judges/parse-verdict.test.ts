import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseVerdict } from "../../judges/parse-verdict.ts"

const read = (reply: string, labels: readonly string[] = ["no", "partly", "yes"]) => {
  const parsed = parseVerdict(reply, labels)
  return parsed.status === "read" ? parsed.label : `unreadable: ${parsed.problem}`
}

describe("parseVerdict", () => {
  it.each([
    ['{"reason": "same city", "verdict": "yes"}', "yes"],
    ['{"verdict":"YES"}', "yes"],
    ['```json\n{"verdict": "partly", "reason": "half"}\n```', "partly"],
    ['Sure! Here it is: {"reason": "a {brace} in a \\"text\\"", "verdict": "no"} Hope that helps.', "no"],
    ["yes", "yes"],
    [" **Yes.** ", "yes"],
    ["Reason: it fits.\nVerdict: partly", "partly"],
    ["**Verdict:** no", "no"],
    ['{"verdict": true}', "yes"],
    ['{"answer": "no"}', "no"],
  ])("reads %j", (reply, label) => {
    expect(read(reply)).toBe(label)
  })

  it.each([
    ["", "the reply is empty"],
    ["I cannot say.", "it names none of: no, partly, yes"],
    ['{"verdict": "maybe"}', "it names none of: no, partly, yes"],
    ['{"verdict": "yes"} and also {"verdict": "no"}', "it names more than one verdict"],
    ["Verdict: yes\nVerdict: no", "it names none of: no, partly, yes"],
    ['{"verdict": ', "it names none of: no, partly, yes"],
    ["yes and no", "it names none of: no, partly, yes"],
  ])("reads no choice from %j", (reply, problem) => {
    expect(read(reply)).toBe(`unreadable: ${problem}`)
  })

  it("reads numbers, fractions of a scale and points between two grades", () => {
    const grades = ["1", "2", "3", "4", "5"]
    expect(read('{"score": 4}', grades)).toBe("4")
    expect(read("4/5", grades)).toBe("4")
    expect(parseVerdict('{"score": 3.5}', grades)).toMatchObject({ label: "3", between: 3.5 })
    expect(read('{"score": 6}', grades)).toMatch(/^unreadable/)
    expect(read('{"score": -1}', grades)).toMatch(/^unreadable/)
  })

  it("takes the member that is the verdict's own, whatever else the object holds", () => {
    expect(read('{"answer": "yes", "verdict": "no"}')).toBe("no")
    expect(read('{"choice": "yes", "score": "partly", "answer": "no"}')).toBe("partly")
  })

  it("reads no point of another scale", () => {
    const grades = ["1", "2", "3", "4", "5"]
    expect(read("4/10", grades)).toMatch(/^unreadable/)
    expect(read('{"verdict": "4/10"}', grades)).toMatch(/^unreadable/)
    expect(read("Verdict: 2 out of 5", grades)).toBe("2")
  })

  it("bounds the reason it keeps", () => {
    const parsed = parseVerdict(JSON.stringify({ verdict: "yes", reason: "x".repeat(9_000) }), ["yes", "no"])
    expect(parsed.status === "read" && parsed.reason?.length).toBe(500)
  })

  it("reads any text, and returns only labels of the rubric", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (reply) => {
        const parsed = parseVerdict(reply, ["yes", "no"])
        return parsed.status === "unreadable" || ["yes", "no"].includes(parsed.label)
      }),
    )
  })

  it("ends in time on many braces", () => {
    expect(read("{".repeat(60_000))).toMatch(/^unreadable/)
  })
})
