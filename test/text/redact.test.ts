import { describe, expect, it } from "vitest"
import { bound, createRedact, redactValue } from "../../src/text/redact.ts"
import { redactLogprobs } from "../../src/text/redact-logprobs.ts"
import { looksRandom } from "../../src/text/secrets.ts"

const secret = "sk-Ab3/9+x=Zq 7"
const redact = createRedact([secret])

describe("createRedact", () => {
  it.each([
    ["as it is", secret],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded in lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["in JSON", JSON.stringify({ key: secret })],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 for addresses", Buffer.from(secret).toString("base64url")],
    ["in base64 behind one character", Buffer.from(`:${secret}`).toString("base64")],
    ["in base64 between others", Buffer.from(`me:${secret}, and more`).toString("base64")],
  ])("takes a secret out that stands %s", (_, text) => {
    const clean = redact(`before ${text} after`)
    expect(clean).toContain("•••")
    expect(clean).not.toContain(secret)
    expect(Buffer.from(clean.split(" ")[1] ?? "", "base64").toString()).not.toContain(secret)
  })

  it.each([
    "pk_order_customer_id",
    "hf_hub_download_file",
    "Bearer authentication",
    ["sk", "0123456789abcdef0123456789abcdef"].join("-"),
    ["AIza", "SyA0123456789abcdefghijklmnopqrstu"].join(""),
    "Authorization: Bearer abcdefghijklmnop",
  ])("leaves %s alone, which is none of its secrets", (text) => {
    expect(redact(text)).toBe(text)
  })

  it("leaves words alone that local servers take for a key", () => {
    expect(createRedact(["ollama", "EMPTY", "none"])("ollama says EMPTY, none")).toBe("ollama says EMPTY, none")
  })

  it("finds every place, and joins places that overlap", () => {
    const both = createRedact(["abcdefgh", "efghijkl"])
    expect(both("abcdefghijkl, abcdefgh")).toBe("•••, •••")
    expect(both.spans("x abcdefghijkl")).toEqual([{ start: 2, end: 14 }])
  })
})

describe("redactValue", () => {
  it("reaches names and texts at any depth, and gives a clean value back as it is", () => {
    const clean = { a: ["b", { c: 1, d: null }] }
    expect(redactValue(clean, redact)).toBe(clean)
    expect(redactValue({ [secret]: [{ deep: `x${secret}` }] }, redact)).toEqual({ "•••": [{ deep: "x•••" }] })
  })
})

describe("redactLogprobs", () => {
  const token = (text: string, ...others: string[]) => ({
    token: text,
    logprob: -1,
    top: [text, ...others].map((other) => ({ token: other, logprob: -1 })),
  })

  it("hides the tokens that a secret is spread over, and their alternatives", () => {
    const pieces = ["key ", "sk-A", "b3/9+x", "=Zq 7!", " end"].map((text) => token(text))
    expect(redactLogprobs(pieces, redact).map((own) => own.token)).toEqual(["key ", "•••", "•••", "•••", " end"])
    expect(JSON.stringify(redactLogprobs(pieces, redact))).not.toMatch(/sk-A|b3\/9|Zq 7/)
  })

  it("hides a secret in an alternative only", () => {
    expect(redactLogprobs([token("a", secret, "b")], redact)[0]?.top.map((own) => own.token)).toEqual(["a", "•••", "b"])
  })

  it("leaves other tokens as they came", () => {
    const tokens = [token("sk-"), token("Ab3")]
    expect(redactLogprobs(tokens, redact)).toEqual(tokens)
  })
})

describe("bound", () => {
  it("folds white space and cuts", () => expect(bound("a \n b".repeat(400), 10)).toBe("a ba ba b…"))
})

describe("looksRandom", () => {
  it.each(["a8f3c19b77e04d2f", "123e4567-e89b-12d3-a456-426614174000", "Xy7Qp2Lm9Rt4"])("knows %s for a key", (text) =>
    expect(looksRandom(text)).toBe(true),
  )
  it.each(["gpt-4o-mini-2024-07-18", "v1", "deployments", "Meta-Llama-3.1-8B-Instruct", "my-gateway"])(
    "knows %s for a name",
    (text) => expect(looksRandom(text)).toBe(false),
  )
})
