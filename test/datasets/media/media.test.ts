import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { counterfactual } from "../../../datasets/counterfactual/counterfactual.ts"
import { pronounSwap } from "../../../datasets/counterfactual/swaps.ts"
import { dataset } from "../../../datasets/dataset.ts"
import { inline } from "../../../datasets/inline.ts"
import type { DatasetOptions } from "../../../datasets/options.ts"
import { letterCase } from "../../../datasets/perturb/letter-case.ts"
import { perturbed } from "../../../datasets/perturb/perturbed.ts"
import type { Dataset } from "../../../src/core/dataset.ts"
import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { describePart, type MediaPart } from "../../../src/core/media/part.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { gifOf, pngOf, pngThatStates, wavOf, webpOf } from "../../support/pictures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const red = pngOf(4, 3)
const folder = scratchDirectory()
beforeAll(() => {
  mkdirSync(join(folder, "data", "img"), { recursive: true })
  writeFileSync(join(folder, "data", "img", "red.png"), red)
  writeFileSync(join(folder, "data", "hello.wav"), wavOf(2))
  writeFileSync(join(folder, "outside.png"), red)
  symlinkSync(join(folder, "outside.png"), join(folder, "data", "link.png"))
})

async function all(set: Dataset): Promise<Sample[]> {
  const samples: Sample[] = []
  for await (const sample of set.samples()) samples.push(sample)
  return samples
}

const asked = (content: JsonValue): JsonObject => ({ messages: [{ role: "user", content }] })
const written = (rows: readonly JsonObject[], options: DatasetOptions = {}) => {
  const path = join(folder, "data", "rows.jsonl")
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  return dataset(path, options)
}
const fault = async (content: JsonValue, options: DatasetOptions = {}) =>
  all(written([asked(content)], options)).then(
    () => "none",
    (error: Error) => error.message,
  )

describe("pictures of a data set", () => {
  it("come from files, data: URIs and base64, in the words of several services, and are the same by their bytes", async () => {
    const base64 = red.toString("base64")
    const uri = `data:image/png;base64,${base64}`
    const set = written(
      [
        [
          { type: "text", text: "What is it?" },
          { type: "image", image: "img/red.png" },
        ],
        [
          { type: "text", text: "What is it?" },
          { type: "image", image: uri },
        ],
        [
          { type: "text", text: "What is it?" },
          { type: "image", base64 },
        ],
        [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: uri } },
        ],
        [
          { type: "text", text: "What is it?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: base64 } },
        ],
      ].map((content, i) => ({ id: String(i), ...asked(content as unknown as JsonValue) })),
    )
    const samples = await all(set)
    const inputs = samples.map(({ input }) => JSON.stringify(input))
    expect(new Set(inputs).size).toBe(1)
    const [{ input }] = samples as [Sample]
    const [message] = input as unknown as readonly [{ content: string; parts: readonly MediaPart[] }]
    expect(message.content).toBe("What is it?")
    expect(message.parts[1]).toMatchObject({
      type: "image",
      mediaType: "image/png",
      width: 4,
      height: 3,
      bytes: red.length,
    })
    expect(describePart(message.parts[1] as MediaPart)).toMatch(/^image 4 x 3 PNG, \d+ bytes, sha256 [0-9a-f]{12}$/)
    const part = message.parts[1] as Extract<MediaPart, { type: "image" }>
    expect(Buffer.from((await set.media?.(part.sha256)) ?? []).equals(red)).toBe(true)
    expect(JSON.stringify(samples)).not.toContain(base64)
  })

  it("stand before the words where a column names them, and change the fingerprint by their bytes alone", async () => {
    const rows = [{ id: "1", question: "Which colour?", photo: "img/red.png" }]
    const fields = { images: "photo" }
    const [sample] = await all(written(rows, { fields }))
    expect(sample?.input).toMatchObject([
      { role: "user", content: "Which colour?", parts: [{ type: "image" }, { type: "text" }] },
    ])
    const before = await written(rows, { fields }).fingerprint()
    writeFileSync(join(folder, "data", "img", "red.png"), pngOf(4, 3, [0, 0, 255]))
    const after = await written(rows, { fields }).fingerprint()
    writeFileSync(join(folder, "data", "img", "red.png"), red)
    expect(after).not.toBe(before)
    expect(await written(rows, { fields }).fingerprint()).toBe(before)
  })

  it("are passed on by their URL, and are not fetched from this machine when evalkit fetches them", async () => {
    const url = "http://127.0.0.1:9/red.png?token=secret"
    const [sample] = await all(written([asked([{ type: "image_url", image_url: { url, detail: "low" } }])]))
    expect(sample?.input).toMatchObject([{ parts: [{ type: "image_url", url, detail: "low" }] }])
    expect(describePart({ type: "image_url", url })).toBe("image by its URL, http://127.0.0.1:9/red.png")
    expect(await fault([{ type: "image", image: url }], { media: { urls: "fetch" } })).toContain(
      "inside this machine or network",
    )
  })

  it.each([
    ["outside the folder", { image: "../outside.png" }, /outside the folder of the data set/],
    ["a link that leads out", { image: "link.png" }, /outside the folder of the data set/],
    ["an absolute path", { image: "/etc/hostname" }, /outside the folder of the data set/],
    ["no file", { image: "img/none.png" }, /cannot be read \(ENOENT\)/],
    ["a folder", { image: "img" }, /is not a file/],
    ["SVG", { base64: Buffer.from("<svg><script>alert(1)</script></svg>").toString("base64") }, /SVG is a program/],
    ["a text", { base64: Buffer.from("hello, I am a picture").toString("base64") }, /no PNG, JPEG, GIF or WebP/],
    ["no base64", { base64: "%%%" }, /base64 cannot be read/],
    [
      "a wrong type",
      { image: `data:image/jpeg;base64,${red.toString("base64")}` },
      /said to be image\/jpeg, but its bytes are image\/png/,
    ],
    [
      "too many pixels",
      { base64: pngThatStates(60_000, 60_000).toString("base64") },
      /60000 x 60000 pixels, more than 100000000/,
    ],
    ["a moving picture", { base64: webpOf("VP8X", 9, 9, 2).toString("base64") }, /moves/],
    ["no source", {}, /image is missing/],
  ])("are refused with sample, message and part: %s", async (_name, image, reason) => {
    const message = await fault([
      { type: "text", text: "?" },
      { type: "image", ...image },
    ])
    expect(message).toMatch(reason)
    expect(message).toContain("rows.jsonl:1")
    expect(message).toContain("message 0, part 1")
  })

  it("are bounded in bytes and in number", async () => {
    const image = { type: "image", image: "img/red.png" }
    expect(await fault([image], { media: { maxBytes: 10 } })).toContain("larger than 10 bytes")
    expect(await fault([{ type: "image", base64: red.toString("base64") }], { media: { maxBytes: 10 } })).toContain(
      "larger than 10 bytes",
    )
    expect(await fault([image, image, image], { media: { maxPerSample: 2 } })).toContain(
      "it has 3 pictures and recordings, more than 2",
    )
  })

  it("may lie in a folder that the options name", async () => {
    const set = written([asked([{ type: "image", image: "../outside.png" }])], { media: { directory: ".." } })
    expect(await all(set)).toHaveLength(1)
  })

  it("keep their place when the words are changed", async () => {
    const rows = [
      {
        id: "1",
        ...asked([
          { type: "image", image: "img/red.png" },
          { type: "text", text: "Is he here?" },
        ]),
      },
    ]
    const [, upper] = await all(perturbed(written(rows), { perturbations: [letterCase({ to: "upper" })] }))
    expect(upper?.input).toMatchObject([
      { content: "IS HE HERE?", parts: [{ type: "image" }, { text: "IS HE HERE?" }] },
    ])
    const [, swapped] = await all(counterfactual(written(rows), { swaps: [pronounSwap()] }))
    const [turn] = (swapped as Sample).input as unknown as readonly [{ content: string; parts: readonly unknown[] }]
    expect(turn.content).toBe("Is she here?")
    expect(turn.parts).toMatchObject([{ type: "image" }, { type: "text", text: turn.content }])
  })
})

describe("recordings of a data set", () => {
  it("are read with their length, from a file or from input_audio", async () => {
    const samples = await all(
      written([
        { id: "1", ...asked([{ type: "audio", audio: "hello.wav" }]) },
        {
          id: "2",
          ...asked([{ type: "input_audio", input_audio: { data: wavOf(2).toString("base64"), format: "wav" } }]),
        },
      ]),
    )
    expect(samples.map(({ input }) => input)).toMatchObject([
      [{ parts: [{ type: "audio", mediaType: "audio/wav", seconds: 2 }] }],
      [{ parts: [{ type: "audio", mediaType: "audio/wav", seconds: 2 }] }],
    ])
  })
})

describe("rows in a config", () => {
  it("name files from the config's folder", async () => {
    const set = inline([asked([{ type: "image", image: "img/red.png" }])]).resolveFrom?.(join(folder, "data"))
    expect(await all(set as Dataset)).toMatchObject([{ input: [{ parts: [{ type: "image", width: 4 }] }] }])
    await expect(all(inline([asked([{ type: "image", base64: gifOf(0, 3).toString("base64") }])]))).rejects.toThrow(
      "no PNG",
    )
  })
})
