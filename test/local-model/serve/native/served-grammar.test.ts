import { describe, expect, it } from "vitest"
import { readGrammar } from "../../../../src/local-model/serve/native/served-grammar.ts"

describe("a grammar in a request", () => {
  it("is read where it is token numbers or letters", () => {
    expect(readGrammar("root ::= <[5]> <[6]>")).toEqual({ kind: "tokens", tokens: [5, 6] })
    expect(readGrammar("root ::= [a-z]+")).toEqual({ kind: "letters", text: "root ::= [a-z]+" })
  })

  it.each([
    "",
    "root ::=",
    'root ::= "a"',
    `root ::= ${"(".repeat(100_000)}`,
    "root ::= <[5]> | <[6]>",
    "root ::= [a-z]+ x\nx ::= x",
    "root ::= <[5]>\nx ::= x",
    `root ::= ${"<[5]> ".repeat(1000)}x`,
  ])("is not read where the binding's engine would be needed (%#)", (text) => {
    expect(readGrammar(text)).toBeNull()
  })
})
