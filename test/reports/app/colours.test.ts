import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { colourDifference, contrast, linear, seenBy, vision } from "../../support/look/colour-difference.ts"

const style = (name: string) => readFileSync(new URL(`../../../reports/app/style/${name}.css`, import.meta.url), "utf8")
const pairs = [...style("colours").matchAll(/--v(\d): light-dark\((#\w{6}), (#\w{6})\)/g)]
const colours = { light: pairs.map(([, , light = ""]) => light), dark: pairs.map(([, , , dark = ""]) => dark) }
const grounds = { light: "#ffffff", dark: "#121212" }

describe("the formula of colour differences", () => {
  // CIEDE2000 of Sharma, Wu and Dalal (2005), supplementary data, pairs 1, 7, 13, 19 and 25.
  it.each([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, -0.001, 2.49], [50, 0.0011, -2.49], 4.7461],
    [[50, 2.5, 0], [56, -27, -3], 31.903],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  ] as const)("gives the published difference of %j and %j", (a, b, expected) => {
    expect(colourDifference(a, b)).toBeCloseTo(expected, 4)
  })
})

describe.each(["light", "dark"] as const)("the colours of variants in the %s theme", (theme) => {
  it.each(Object.keys(vision) as (keyof typeof vision)[])("differ in each pair of six for %s sight", (sight) => {
    const seen = colours[theme].slice(0, 6).map((colour) => seenBy(linear(colour), sight))
    for (const [i, a] of seen.entries())
      for (const [j, b] of seen.entries())
        if (i < j) expect({ i, j, difference: colourDifference(a, b) > 10 }).toEqual({ i, j, difference: true })
  })

  it("stand out from the ground by 3 : 1", () => {
    expect(colours[theme]).toHaveLength(8)
    for (const colour of colours[theme]) expect(contrast(colour, grounds[theme])).toBeGreaterThan(3)
  })
})

it("draws the lines of six variants with six different strokes", () => {
  const strokes = [...style("charts").matchAll(/path\.line\.d(\d) \{\s*stroke-dasharray: ([^;]+);/g)]
  expect(strokes.map(([, location]) => location)).toEqual(["1", "2", "3", "4", "5"])
  expect(new Set(strokes.map(([, , dashes]) => dashes)).size).toBe(5)
})
