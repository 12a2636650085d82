import { describe, expect, it } from "vitest"
import { readPart, scaled, within, writePart, type ZoomPart } from "../../../reports/app/charts/zoom-part.ts"

describe("the part of a picture that is shown closer", () => {
  it("is read as it was written, and nothing else is", () => {
    const part: ZoomPart = { x: [0, 0.5], y: [0.25, 1] }
    expect(readPart(writePart(part))).toEqual(part)
    for (const text of ["", "0,1", "0.5,0.5,0,1", "0,2,0,1", "a,b,c,d", "0,1,1,0"]) expect(readPart(text)).toBeNull()
  })

  it("stays a part however often a reader zooms in, and becomes all again by zooming out", () => {
    let part: ZoomPart | null = null
    for (let press = 0; press < 30; press++) {
      part = scaled(part, 0.5)
      expect(part && readPart(writePart(part))).not.toBeNull()
    }
    for (let press = 0; press < 30; press++) part = scaled(part, 2)
    expect(part).toBeNull()
  })

  it("stays one however small a part of a part is dragged over", () => {
    let part: ZoomPart = { x: [0, 1], y: [0, 1] }
    for (let drag = 0; drag < 10; drag++) {
      part = { x: within(part.x, 0.96, 1), y: within(part.y, 0, 0.04) }
      expect(readPart(writePart(part))).not.toBeNull()
    }
    expect(within([0.2, 0.6], 0.25, 0.75)).toEqual([0.30000000000000004, 0.5])
    expect(within(undefined, 0.25, 0.75)).toEqual([0.25, 0.75])
  })
})
