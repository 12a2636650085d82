import { expect, it } from "vitest"
import { NumberTable } from "../../src/rows/number-table.ts"

const edges = [
  0,
  127,
  -128,
  128,
  -129,
  32767,
  -32768,
  32768,
  -32769,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 31,
  0.1,
  -0,
  Number.NaN,
]

it("gives every number back, whatever came before it and after it", () => {
  for (const first of edges)
    for (const second of edges) {
      const table = new NumberTable(2)
      table.add([1, first])
      table.add([second, -1])
      expect([table.row(0), table.row(1)]).toStrictEqual([
        [1, first],
        [second, -1],
      ])
    }
})
