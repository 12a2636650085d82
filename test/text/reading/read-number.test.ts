import { describe, expect, it } from "vitest"
import { equalValues, otherReadings } from "../../../src/text/reading/equal-values.ts"
import { loadEvaluate } from "../../../src/text/reading/evaluate.ts"
import { numeralsOf } from "../../../src/text/reading/numeral.ts"
import { readNumbers } from "../../../src/text/reading/read-number.ts"
import { readValue } from "../../../src/text/reading/value.ts"

const decimals = (text: string) => [...numeralsOf(text)].map(({ decimal }) => decimal)

describe("the numbers of a text", () => {
  it.each([
    ["答案是42。", ["42"]],
    ["คำตอบคือ42บาท", ["42"]],
    ["答えは４２です", ["42"]],
    ["الجواب هو ٤٢", ["42"]],
    ["उत्तर ४२ है", ["42"]],
    ["٣٫١٤", ["3.14"]],
    ["1 234 euros", ["1234"]],
    ["1\u202f234\u202f567", ["1234567"]],
    ["1.234,50 Euro", ["1234.5"]],
    ["1,234.50", ["1234.5"]],
    ["1,00,000 rupees", ["100000"]],
    ["10{,}000", ["10000"]],
    ["1'000'000", ["1000000"]],
    ["0,125", ["0.125"]],
    ["27,93", ["27.93"]],
    ["3,5,7", ["3", "5", "7"]],
    ["12345678901234567890", ["12345678901234567890"]],
    ["1.2e3", ["1200"]],
    ["1.5 million", ["1500000"]],
    ["3万", ["30000"]],
    ["\u22127", ["-7"]],
    ["-$5.00", ["-5"]],
    ["5-3", ["5", "3"]],
    [".5", ["0.5"]],
    ["x1 and GPT4 and v1.2.3", []],
    ["2024 300", ["2024", "300"]],
    ["w7 42 and v1.2 3", ["42", "3"]],
  ])("are read in %s", (text, expected) => {
    expect(decimals(text)).toEqual(expected)
  })

  it("have another value where a separator can mean both", () => {
    expect([...numeralsOf("1.234 and 1,234")].map(({ alternate }) => alternate)).toEqual(["1234", "1.234"])
  })
})

describe("two values", async () => {
  const evaluate = await loadEvaluate()
  const none = { absolute: 0, relative: 0 }
  const equal = (first: string, second: string) => equalValues(readValue(first), readValue(second), none, evaluate)

  it.each([
    ["\\frac{1}{2}", "0.5"],
    ["½", "1/2"],
    ["2\\frac{1}{2}", "2 1/2"],
    ["3 \\times 10^5 metres", "300,000 m"],
    ["10^{5}", "10⁵"],
    ["\\sqrt{2}", "√2"],
    ["2\\sqrt{8}", "4\\sqrt{2}"],
    ["-3^2", "-9"],
    ["\\left(\\frac{1}{2}, 3\\right)", "(0.5,3)"],
    ["(2,-1)", "2, -1"],
    ["\\{3,1,2\\}", "\\{1,2,3\\}"],
    ["x = 1 or x = 2", "1 und 2"],
    ["12 + 24 + 40 = 76", "76"],
    ["1.50 m^2", "$1.5"],
    ["221_3", "25"],
    ["x = \\text{ 42}^\\circ", "42"],
  ])("are equal: %s and %s", (first, second) => {
    expect(equal(first, second)).toBe(true)
  })

  it.each([
    ["\\frac{1}{2}", "\\frac{1}{3}"],
    ["(0,1)", "(0,4)"],
    ["[2,3]", "(2,3)"],
    ["(1,2)", "(2,1)"],
    ["2, 4", "2"],
    ["3 \\times 10^5", "3 \\times 10^8"],
    ["2:3", "2:5"],
    ["2\\pi", "2"],
    ["2x", "2"],
    ["9007199254740993", "9007199254740992"],
    ["0.1", "0.10000000000000001"],
  ])("differ: %s and %s", (first, second) => {
    expect(equal(first, second)).toBe(false)
  })

  it("can be meant otherwise where a sign has two meanings", () => {
    const decimalsOf = (text: string) =>
      otherReadings(readValue(text)).map((value) => (value.kind === "number" ? value.decimal : ""))
    expect([decimalsOf("1.234"), decimalsOf("50%"), decimalsOf("5")]).toEqual([["1234"], ["0.5"], []])
  })
})

describe("the final number of an answer", () => {
  it.each([
    ['{"reasoning": "7 * 2 = 14", "answer": "$14"}', "json", "14"],
    ['{"reasoning": "so \\(x\\) is\n5", "answer": 5}', "json", "5"],
    ['{"answer": "12', "json", "12"],
    ["First \\boxed{3}, then \\boxed{\\text{42 m}}", "boxed", "42"],
    ["9 - 2 = 7\n#### 1,200, as asked", "marked", "1200"],
    ["**Answer:**\n\n18 of 20", "marked", "18"],
    ["The answer to both is 18 dollars per day for 3 days.", "marked", "18"],
    ["So 7 * 6.\nRéponse : 42 euros", "marked", "42"],
    ["所以答案是42。", "marked", "42"],
    ["Step 1: take 9.\n**12**", "bold", "12"],
    ["so 5-3 is 2, and 7 are left", "last line", "7"],
    ["She makes 9 * 2 = 18 dollars.", "whole text", "18"],
    ["He has 86 cups and 42 plates, 86 + 42 = 128 cups and plates\nSo the result is 128.00", "last line", "128"],
  ])("is found by a named rule in %s", (text, rule, decimal) => {
    expect(readNumbers(text)[0]).toMatchObject({ rule, value: { kind: "number", decimal } })
  })

  it("is what it is a part of, never the first number of it", () => {
    expect(readNumbers("So the pair must be (0, 1), as said.")[0]?.value).toMatchObject({
      kind: "list",
      brackets: "()",
    })
    expect(readNumbers("It takes about 3/4 of an hour, they say")[0]?.value).toMatchObject({ kind: "expression" })
    expect(readNumbers("So they have $\\frac{1}{3}$ left, or so.")[0]?.value).toMatchObject({ kind: "expression" })
  })

  it("is none where there is no number", () => {
    expect(readNumbers("I cannot tell.")).toEqual([])
  })
})
