import { describe, expect, it } from "vitest"
import { differencesOf } from "./check.ts"
import { interfaces } from "./interfaces.ts"

describe.each([1, 2, 3])("500 generated streams of seed %i", (seed) => {
  it.each(interfaces)("are read as the generator's own log says: $name", (one) => {
    const differences = Array.from({ length: 500 }, (_, index) => differencesOf(one, seed, index)).flat()
    expect(differences).toEqual([])
  })
})
