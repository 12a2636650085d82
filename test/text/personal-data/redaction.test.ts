import { describe, expect, it } from "vitest"
import { createRedaction } from "../../../src/text/personal-data/redaction.ts"
import { plantedCalls } from "../../support/planted-calls.ts"

const key = Buffer.from("a key of one's own, of thirty-two")
const text = async (whole: string) => createRedaction().value(whole)

describe("a redaction", () => {
  it("leaves nothing of what it promises: 1,000 planted calls' data in eight languages", async () => {
    const redaction = createRedaction({ countries: ["DE", "FR"] })
    const left: string[] = []
    let planted = 0
    for (const call of plantedCalls(160, 7)) {
      const clean = JSON.stringify(await redaction.record({ question: call.question, answer: call.answer }))
      planted += call.planted.length
      for (const name of call.planted) if (clean.includes(name)) left.push(`${name} in ${clean}`)
    }
    expect(left).toEqual([])
    expect(planted).toBeGreaterThan(1_000)
  })

  it.each([
    ["Dear Ada Lovelace, Mr Byron and Ms. LOVELACE met.", "Dear [person 1], Mr [person 2] and Ms. [person 1] met."],
    ["From: Ada Lovelace <ada@example.org>", "From: [person 1] <[email 1]>"],
    ["HERR MÜLLER and Müller's cat", "HERR [person 1] and [person 1]'s cat"],
    ["Unter den Linden 77, 10117 Berlin.", "[address 1]."],
    ["10 Downing Street, London SW1A 2AA", "[address 1]"],
    ["at 500 Oak Avenue, Apt 4, Springfield, IL 62704, today", "at [address 1], today"],
    ["jürgen.müller@bücher.example", "[email 1]"],
    [
      "postgres://app:hunter22@db/x with Bearer abcdefghijklmnop",
      "postgres://app:[secret 1]@db/x with Bearer [secret 2]",
    ],
    ["from 203.0.113.9, then 2001:db8::17", "from [id 1], then [id 2]"],
    ["passport no. C01X00T47, DNI 12345678Z", "passport no. [id 1], DNI [id 2]"],
  ])("%s", async (whole, clean) => {
    expect(await text(whole)).toBe(clean)
  })

  it.each([
    'print("Hello World!") and Hi there, who are you?',
    "Dear Sir, how many ms Latency at 12:30:45 in std::vector? 1.2.3 is out, v10.4.2-rc1 too.",
    "In 1850 the Great Road to the West was built; 5 Ways to win 12345678A or 123456789.",
    "Give me Python 3. Don't. Best of 3, thanks a lot.",
  ])("leaves %s", async (whole) => {
    expect(await text(whole)).toBe(whole)
  })

  it("gives the same in all that a key redacts, and something else with another key", async () => {
    const question = { user_id: "u-77", text: "mail ADA@example.org", card: 4111111111111111, at: 1700000000000, n: 3 }
    const once = await createRedaction({ key }).record(question)
    expect(await createRedaction({ key }).record({ ...question, text: "mail ada@example.org" })).toEqual(once)
    expect(once.text).toMatch(/^mail \[email [0-9a-f]{12}\]$/)
    expect(await createRedaction({ key: Buffer.from("another key of 16") }).record(question)).not.toEqual(once)
    expect(await createRedaction().record(question)).toEqual({
      user_id: "[id 1]",
      text: "mail [email 1]",
      card: "[card 1]",
      at: 1700000000000,
      n: 3,
    })
  })

  it("keeps what holds nothing as it is, and reads texts of any length to their end", async () => {
    const clean = { a: ["nothing", { b: null }] }
    expect(await createRedaction().record(clean)).toBe(clean)
    const redaction = createRedaction()
    const many = Array.from({ length: 3_000 }, (_, i) => `user${i}@example.org`).join(" ")
    const long = `${many} ${"word ".repeat(220_000)} +44 20 7946 0958 last@example.org`
    const done = await redaction.value(long)
    expect(done).not.toContain("@")
    expect(done).not.toContain("7946")
    expect([...redaction.counts()]).toEqual([
      ["email", 3_001],
      ["phone", 1],
    ])
  })
})
