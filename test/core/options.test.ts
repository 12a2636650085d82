import { describe, expect, it } from "vitest"
import { checkFields, checkOptions, type OptionFields } from "../../src/core/options.ts"

const fields: OptionFields = {
  name: "text",
  bins: "number",
  fast: "boolean",
  measure: "function",
  parts: ["text"],
  inner: { deep: "number" },
  price: { usd: "number" },
  by: { $words: ["character", "word"] },
  kinds: [{ $words: ["email", "phone"] }],
  thinking: { $either: { text: { $words: ["off", "on"] }, number: "number" } },
  factors: { $each: "number" },
  encoder: { $having: { embed: "function" } },
  steps: [{ size: "number" }],
}

function faultOf(input: unknown): unknown {
  try {
    checkFields("thing", input, fields)
    return null
  } catch (error) {
    return error
  }
}

describe("the check of a factory's options", () => {
  it("lets every option through, and what is undefined", () => {
    const input = { name: "a", bins: 1, fast: false, measure: () => {}, parts: [], inner: { deep: 1 }, price: null }
    expect(faultOf(input)).toBeNull()
    expect(faultOf({ name: undefined })).toBeNull()
    expect(() => checkOptions("rouge", undefined)).not.toThrow()
  })

  it("refuses an object without what is called of it, and takes what else it has", () => {
    expect(faultOf({ encoder: { embed: () => {}, dimension: 3 } })).toBeNull()
    expect(faultOf({ encoder: { embed: "x" } })).toMatchObject({
      code: "option_type",
      message: 'thing: expected a function, got "x": thing({ encoder.embed })',
    })
    expect(faultOf({ encoder: {} })).toMatchObject({ message: expect.stringContaining("got nothing") })
  })

  it("names the option that was probably meant, also inside an option", () => {
    expect(faultOf({ bin: 1 })).toMatchObject({
      code: "unknown_option",
      message: 'thing has no option "bin": thing({ bin }); did you mean "bins"?',
    })
    expect(faultOf({ inner: { deeep: 1 } })).toMatchObject({
      message: 'thing has no option "deeep": thing({ inner.deeep }); did you mean "deep"?',
    })
    expect(faultOf({ zzzzzz: 1 })).toMatchObject({ hint: expect.stringContaining("name, bins, fast") })
  })

  it.each([
    ["a text", { name: 1 }, "name"],
    ["a number", { bins: "3" }, "bins"],
    ["true or false", { fast: "no" }, "fast"],
    ["a function", { measure: 1 }, "measure"],
    ["a list", { parts: "a" }, "parts"],
    ["an object", { inner: [] }, "inner"],
  ])("expects %s where it is told so", (word, input, path) => {
    expect(faultOf(input)).toMatchObject({
      code: "option_type",
      message: expect.stringContaining(`expected ${word}`),
      where: `thing({ ${path} })`,
    })
  })

  it("expects an object of options", () => {
    expect(faultOf("fast")).toMatchObject({ code: "option_type", where: "thing(...)" })
    expect(faultOf(null)).toMatchObject({ code: "option_type" })
  })

  it("does not take names of Object.prototype for options", () => {
    expect(faultOf({ toString: () => "" })).toMatchObject({ code: "unknown_option" })
  })

  it("refuses a word that an option does not know, alone and in a list", () => {
    expect(faultOf({ by: "word", kinds: ["phone", "email"] })).toBeNull()
    expect(faultOf({ by: "words" })).toMatchObject({
      code: "unknown_word",
      message: 'thing: by does not know "words": thing({ by }); did you mean "word"?',
    })
    expect(faultOf({ kinds: ["email", "fax"] })).toMatchObject({
      code: "unknown_word",
      hint: 'it knows "email", "phone"',
    })
    expect(faultOf({ by: 1 })).toMatchObject({ code: "option_type" })
    expect(faultOf({ kinds: "email" })).toMatchObject({ code: "option_type" })
    expect(faultOf({ by: "constructor" })).toMatchObject({ code: "unknown_word" })
  })

  it("names the words beside the other kinds that an option takes", () => {
    expect(faultOf({ thinking: "on" })).toBeNull()
    expect(faultOf({ thinking: 1024 })).toBeNull()
    expect(faultOf({ thinking: "dynamic" })).toMatchObject({
      code: "unknown_word",
      hint: 'it knows "off", "on", a number',
    })
    expect(faultOf({ thinking: true })).toMatchObject({ message: expect.stringContaining("a text or a number") })
  })

  it("looks into lists and into objects of any names", () => {
    expect(faultOf({ factors: { eu: 1.1 }, steps: [{ size: 1 }], parts: ["a"] })).toBeNull()
    expect(faultOf({ factors: { eu: "1.1" } })).toMatchObject({ where: "thing({ factors.eu })" })
    expect(faultOf({ steps: [{}, { sise: 1 }] })).toMatchObject({ where: "thing({ steps[1].sise })" })
    expect(faultOf({ parts: ["a", 1] })).toMatchObject({ where: "thing({ parts[1] })" })
  })
})
