import { expect, it } from "vitest"
import { unfoundedFigures } from "./script-texts.ts"

it("gives 2,000 texts of thirty scripts no figure without a basis", async () => {
  expect(await unfoundedFigures(2_000)).toEqual([])
}, 120_000)
