import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { readAudioHeader } from "../../../src/core/media/audio-header.ts"
import { readImageHeader } from "../../../src/core/media/image-header.ts"
import { createRandom } from "../../../src/core/random.ts"
import { gifOf, jpegOf, pngOf, wavOf, webpOf } from "../../support/pictures.ts"

describe("readImageHeader", () => {
  it.each([
    ["PNG", pngOf(640, 480), "image/png", 640, 480],
    ["GIF", gifOf(320, 65535), "image/gif", 320, 65535],
    ["JPEG", jpegOf(1920, 1080), "image/jpeg", 1920, 1080],
    ["progressive JPEG", jpegOf(7, 9, 0xc2), "image/jpeg", 7, 9],
    ["WebP with loss", webpOf("VP8 ", 400, 301), "image/webp", 400, 301],
    ["WebP without loss", webpOf("VP8L", 16384, 1), "image/webp", 16384, 1],
    ["extended WebP", webpOf("VP8X", 5000, 70000), "image/webp", 5000, 70000],
  ])("reads the size of a %s", (_name, bytes, mediaType, width, height) => {
    expect(readImageHeader(bytes)).toEqual({ mediaType, width, height, animated: false })
  })

  it("reads what a browser wrote", () => {
    const picture = readFileSync(new URL("../../../examples/report.png", import.meta.url))
    // The page's picture is taken again now and then, as high as the page is: what its first chunk says.
    const height = picture.readUInt32BE(20)
    expect(height).toBeGreaterThan(1000)
    expect(readImageHeader(picture)).toMatchObject({ mediaType: "image/png", width: 1280, height })
  })

  it("says that a WebP moves", () => {
    expect(readImageHeader(webpOf("VP8X", 5, 5, 2))?.animated).toBe(true)
  })

  it("takes nothing else, and never throws: cut, mixed up or random bytes", () => {
    expect(readImageHeader(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toBeNull()
    expect(readImageHeader(Buffer.alloc(0))).toBeNull()
    expect(readImageHeader(pngOf(1, 1).subarray(0, 20))).toBeNull()
    expect(readImageHeader(jpegOf(0, 5))).toBeNull()
    const random = createRandom("headers")
    for (const whole of [pngOf(3, 3), gifOf(3, 3), jpegOf(3, 3), webpOf("VP8 ", 3, 3), wavOf(0.1)])
      for (let i = 0; i < 300; i++) {
        const bytes = Buffer.from(whole.subarray(0, random.integer(whole.length + 1)))
        for (let j = 0; j < 4 && bytes.length > 0; j++) bytes[random.integer(bytes.length)] = random.integer(256)
        const header = readImageHeader(bytes)
        if (header) expect(header.width * header.height).toBeGreaterThan(0)
        readAudioHeader(bytes)
      }
  })

  it("ends at a JPEG whose segments never end", () => {
    const fill = Buffer.alloc(4_000_000, Buffer.from([0xff, 0xe1, 0, 2]))
    const started = process.cpuUsage()
    expect(readImageHeader(Buffer.concat([Buffer.from([0xff, 0xd8]), fill]))).toBeNull()
    expect(process.cpuUsage(started).user).toBeLessThan(100_000)
  })
})

describe("readAudioHeader", () => {
  it("reads the length of a WAV, and knows an MP3", () => {
    expect(readAudioHeader(wavOf(1.5))).toEqual({ mediaType: "audio/wav", seconds: 1.5 })
    expect(readAudioHeader(Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1"))).toEqual({
      mediaType: "audio/mpeg",
      seconds: null,
    })
    expect(readAudioHeader(Buffer.from([0xff, 0xfb, 0x90, 0x64]))?.mediaType).toBe("audio/mpeg")
    expect(readAudioHeader(jpegOf(3, 3))).toBeNull()
  })
})
