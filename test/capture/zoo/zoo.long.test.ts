import { describe, expect, it } from "vitest"
import { sized } from "../../support/nightly.ts"
import { differencesOf } from "./check.ts"
import { interfaces } from "./interfaces.ts"

describe.each([1, 2, 3])("generated streams of seed %i", (seed) => {
  it.each(interfaces)("are read as the generator's own log says: $name", (api) => {
    const differences = Array.from({ length: sized(500, 50) }, (_, index) => differencesOf(api, seed, index)).flat()
    expect(differences).toEqual([])
  })
})
