import { expect, it } from "vitest"
import { differencesOf } from "./check.ts"
import { interfaces } from "./interfaces.ts"

it.each(interfaces)("reads 60 generated streams of $name as the generator's own log says", (api) => {
  const differences = Array.from({ length: 60 }, (_, index) => differencesOf(api, 1, index)).flat()
  expect(differences).toEqual([])
})
