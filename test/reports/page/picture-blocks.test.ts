import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPictureBlocks } from "../../../reports/page/block.ts"
import type { ImagePart } from "../../../src/core/media/part.ts"
import { pngOf } from "../../support/pictures.ts"

const data = pngOf(4, 3)
const sha256 = createHash("sha256").update(data).digest("hex")
const picture: ImagePart = { type: "image", mediaType: "image/png", sha256, bytes: data.length, width: 4, height: 3 }
const read = () => data

describe("pictures of a page", () => {
  it("stand in it once, however many samples show them", () => {
    const pictures = createPictureBlocks(read)
    const [first, second] = [pictures.show(picture), pictures.show(picture)]
    expect(first).toEqual(second)
    expect(first).toMatchObject({ block: `evalkit-picture-${sha256.slice(0, 24)}`, mediaType: "image/png" })
    const blocks = pictures.blocks()
    expect(blocks).toEqual([`<script type="text/plain" id="${first.block}">${data.toString("base64")}</script>\n`])
    expect(pictures.blocks()).toEqual([])
  })

  it.each<[string, Partial<ImagePart>]>([
    ["bytes", { bytes: 200_001 }],
    ["pixels, which a browser would have to unpack", { width: 4001, height: 1000 }],
  ])("are named only where they have too many %s", (_what, more) => {
    const shown = createPictureBlocks(read).show({ ...picture, ...more })
    expect(shown.block).toBeUndefined()
    expect(shown.label).toMatch(/^image \d+ x \d+ PNG, .*; not shown here, to keep the page small$/)
  })

  it("are named only where all of them together would make the page large, and where their bytes are not kept", () => {
    const pictures = createPictureBlocks(read)
    const shown = Array.from({ length: 60 }, (_, i) =>
      pictures.show({ ...picture, sha256: String(i).padStart(64, "0"), bytes: 190_000 }),
    )
    expect(shown.filter(({ block }) => block !== undefined)).toHaveLength(42)
    expect(createPictureBlocks(() => null).show(picture).block).toBeUndefined()
  })

  it("never hold an address or a recording", () => {
    const pictures = createPictureBlocks(read)
    expect(pictures.show({ type: "image_url", url: "https://example.org/a.svg?key=1" })).toEqual({
      label: "image by its URL, https://example.org/a.svg",
    })
    expect(pictures.show({ type: "audio", mediaType: "audio/wav", sha256, bytes: 9, seconds: 1 }).block).toBeUndefined()
    expect(pictures.blocks()).toEqual([])
  })
})
