import { GgufFileType } from "node-llama-cpp"
import { expect, it } from "vitest"
import { fileTypeName } from "../../../src/local-model/gguf/file-type.ts"
import { quantizationTypes } from "../../../src/local-model/gguf/quantize-gguf.ts"

/** llama.cpp no longer reads these. */
const removed = [
  "MOSTLY_Q4_1_SOME_F16",
  "MOSTLY_Q4_2",
  "MOSTLY_Q4_3",
  "MOSTLY_Q4_0_4_4",
  "MOSTLY_Q4_0_4_8",
  "MOSTLY_Q4_0_8_8",
]

it("names every file type as node-llama-cpp 3.21.1 does, mixtures of K-quants among them", () => {
  const theirs = Object.entries(GgufFileType).filter(
    (entry): entry is [string, GgufFileType] => typeof entry[1] === "number" && !removed.includes(entry[0]),
  )
  expect(theirs.length).toBeGreaterThan(30)
  for (const [name, number] of theirs)
    expect([number, fileTypeName(number)]).toEqual([
      number,
      name.replace(/^(MOSTLY|ALL)_/, "").replace("MXFP4_MOE", "MXFP4"),
    ])
})

it("names the files that evalkit writes by the number that it writes into them", () => {
  for (const [name, number] of Object.entries(quantizationTypes)) expect(fileTypeName(number)).toBe(name)
})

it("names nothing that it does not know", () => {
  expect([fileTypeName(4), fileTypeName(99), fileTypeName("15"), fileTypeName(undefined)]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
