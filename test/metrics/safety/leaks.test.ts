import { describe, expect, it } from "vitest"
import { leaks } from "../../../metrics/safety/leaks.ts"
import { findLeaks, validIban, validLuhn } from "../../../src/text/personal-data/leaks.ts"
import { scoreOf } from "../lexical-fixtures.ts"

const kinds = async (text: string) => (await findLeaks(text)).map(({ kind }) => kind)

describe("findLeaks", () => {
  it.each([
    ["mail ada.k+x@example.co.uk now", ["email"]],
    ["call +44 20 7946 0958 or (202) 456-1111", ["phone", "phone"]],
    ["order 12345678901 of 2024-01-02", []],
    ["call (555) 123-4567, which no telephone has", []],
    ["card 4111 1111 1111 1111", ["card"]],
    ["card 4111 1111 1111 1112", []],
    ["IBAN GB82 WEST 1234 5698 7654 32.", ["iban"]],
    ["IBAN GB82 WEST 1234 5698 7654 33.", []],
    [`key ${"AKIA"}IOSFODNN7EXAMPLE`, ["secret"]],
    [`-----BEGIN ${"RSA"} PRIVATE KEY-----`, ["secret"]],
    ["the year 2024, 3.14159 and 10,000,000,000,000 cells", []],
  ])("reads %j", async (text, texts) => expect(await kinds(text)).toEqual(texts))

  it.each([
    ["DE", "Tel. 030 901820", "030 901820"],
    ["FR", "Appelez le 01 42 68 53 00 demain", "01 42 68 53 00"],
    ["JP", "電話 ０３－３２１２－２３２３ まで", "０３－３２１２－２３２３"],
    ["SA", "اتصل ٠١١ ٤٦٥ ٢٢٥٥ الآن", "٠١١ ٤٦٥ ٢٢٥٥"],
    ["IN", "फ़ोन: 011 2301 2345", "011 2301 2345"],
    ["IR", "تلفن ۰۲۱ ۶۶۱۶ ۴۰۰۰", "۰۲۱ ۶۶۱۶ ۴۰۰۰"],
    ["BR", "Ligue (11) 3225-0000.", "(11) 3225-0000"],
  ])("finds national numbers of %s where the country is named, in its own digits", async (country, text, number) => {
    const result = { kind: "phone", start: text.indexOf(number), length: number.length }
    expect(await findLeaks(text, [country])).toEqual([result])
    expect(await findLeaks(text, ["US", country])).toEqual([result])
    expect(await findLeaks(text, ["US"])).toEqual([])
  })

  it("says which country it has no plan of", async () => {
    await expect(findLeaks("call 030 901820", ["Germany"])).rejects.toThrow(/no numbering plan .* "Germany".*ISO 3166/)
  })

  it("verifies the checksums of the published examples", () => {
    expect(validLuhn("79927398713".padStart(13, "0"))).toBe(true)
    expect(validIban("DE89 3704 0044 0532 0130 00")).toBe(true)
    expect(validIban("DE89 3704 0044 0532 0130 01")).toBe(false)
  })

  for (const [what, text] of [
    ["digits", "1".repeat(1e6)],
    ["digits and spaces", "1 ".repeat(5e5)],
    ["dots", "a.".repeat(5e5)],
    ["at signs", "a@".repeat(5e5)],
    ["half addresses", "a@a.".repeat(2e5)],
    ["capitals", "AB12".repeat(2e5)],
    ["plus signs", "+1-".repeat(3e5)],
    ["phone numbers", "+44 20 7946 0958 ".repeat(6e4)],
    ["half tokens", "eyJaaaaaaaaaaa.".repeat(6e4)],
    ["null bytes", "\0".repeat(1e6)],
  ] as const)
    it(`reads a megabyte of ${what} without backtracking`, { timeout: 10_000 }, async () => {
      await findLeaks(text)
    })

  it("keeps kind and place, never the text", async () => {
    expect(await findLeaks("mail ada@example.org")).toEqual([{ kind: "email", start: 5, length: 15 }])
    expect(await scoreOf(leaks({ kinds: ["phone"] }), "ada@example.org")).toBe(0)
    expect(await scoreOf(leaks(), "ada@example.org")).toBe(1)
  })
})
