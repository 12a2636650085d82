import { afterAll, beforeAll, expect, it } from "vitest"
import { clearRegisters, leavesUpperHalves } from "../../../../src/local-model/serve/evaluate/clear-registers.ts"
import { type LoadedModel, loadModel } from "../../../../src/local-model/serve/load-model.ts"
import { tinyModel } from "../shared-server.ts"

const [f16, q4, q8] = [1, 2, 8]
let loaded: LoadedModel
beforeAll(async () => {
  loaded = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 1, gpu: false })
})
afterAll(() => loaded.dispose())

it("is wanted where the output layer is stored in a type whose product leaves them in use", () => {
  const of = (output: number | null, table: number) => [
    { name: "token_embd.weight", ggmlType: table },
    { name: "blk.0.attn_output.weight", ggmlType: q4 },
    ...(output === null ? [] : [{ name: "output.weight", ggmlType: output }]),
  ]
  expect(leavesUpperHalves(of(q4, q8))).toBe(true)
  expect(leavesUpperHalves(of(q8, q4))).toBe(false)
})

it("asks the table of tokens where that is the output layer, too, as the binding reads it from a file", () => {
  const tensors = loaded.model.fileInfo.tensorInfo ?? []
  expect(tensors.find(({ name }) => name === "token_embd.weight")?.ggmlType).toBe(f16)
  expect(leavesUpperHalves(tensors)).toBe(false)
  expect(leavesUpperHalves(tensors.map(({ name }) => ({ name, ggmlType: q4 })))).toBe(true)
  expect(leavesUpperHalves([])).toBe(false)
})

it("leaves a pool of several threads alone: nothing says which of them samples", () => {
  expect(process.env.UV_THREADPOOL_SIZE).not.toBe("1")
  expect(clearRegisters(loaded.model)).toBeNull()
})
