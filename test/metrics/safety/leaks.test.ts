import { describe, expect, it } from "vitest"
import { leaks } from "../../../metrics/safety/leaks.ts"
import { findLeaks, validIban, validLuhn } from "../../../metrics/safety/personal-data.ts"
import { scoreOf } from "../lexical-fixtures.ts"

const kinds = (text: string) => findLeaks(text).map(({ kind }) => kind)

describe("findLeaks", () => {
  it.each([
    ["mail ada.k+x@example.co.uk now", ["email"]],
    ["call +44 20 7946 0958 or (555) 123-4567", ["phone", "phone"]],
    ["card 4111 1111 1111 1111", ["card"]],
    ["card 4111 1111 1111 1112", []],
    ["IBAN GB82 WEST 1234 5698 7654 32.", ["iban"]],
    ["IBAN GB82 WEST 1234 5698 7654 33.", []],
    [`key ${"AKIA"}IOSFODNN7EXAMPLE`, ["secret"]],
    [`-----BEGIN ${"RSA"} PRIVATE KEY-----`, ["secret"]],
    ["the year 2024, 3.14159 and 10,000,000,000,000 cells", []],
  ])("reads %j", (text, found) => expect(kinds(text)).toEqual(found))

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
    ["half tokens", "eyJaaaaaaaaaaa.".repeat(6e4)],
    ["null bytes", "\0".repeat(1e6)],
  ] as const)
    it(`reads a megabyte of ${what} without backtracking`, { timeout: 5_000 }, () => {
      findLeaks(text)
    })

  it("keeps kind and place, never the text", async () => {
    expect(findLeaks("mail ada@example.org")).toEqual([{ kind: "email", start: 5, length: 15 }])
    expect(await scoreOf(leaks({ kinds: ["phone"] }), "ada@example.org")).toBe(0)
    expect(await scoreOf(leaks(), "ada@example.org")).toBe(1)
  })
})
