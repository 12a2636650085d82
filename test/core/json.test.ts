import { describe, expect, it } from "vitest"
import { canonicalJson, contentHash } from "../../src/core/json.ts"

describe("canonicalJson", () => {
  it("writes equal values as equal texts whatever the order of their keys", () => {
    expect(canonicalJson({ b: 1, a: { d: [true, null], c: "x" } })).toBe('{"a":{"c":"x","d":[true,null]},"b":1}')
  })

  it("drops undefined members", () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })

  it("keeps hostile keys as data", () => {
    expect(canonicalJson(JSON.parse('{"__proto__": 1, "constructor": 2}'))).toBe('{"__proto__":1,"constructor":2}')
  })
})

describe("contentHash", () => {
  it("is the SHA-256 of the canonical text", () => {
    expect(contentHash({ b: 1, a: [true] }, 64)).toBe(contentHash({ a: [true], b: 1 }, 64))
    expect(contentHash("abc", 64)).toBe("6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25")
  })
})
