import type { ImageType } from "./part.ts"

/** What the first bytes of a picture say. Pixels. */
export interface ImageHeader {
  readonly mediaType: ImageType
  readonly width: number
  readonly height: number
  /** Whether it says that it has more than one frame (WebP; a GIF says so only in its body, and is not read that far). */
  readonly animated: boolean
}

/** Segments of a JPEG that are looked at, at most: photographs have some dozens before their size. */
const maxSegments = 4096

/**
 * Kind and size of a picture by its header; null where the bytes are none of the four kinds, are cut, or state a size of zero. Nothing is
 * decoded: the pixels are not looked at.
 *
 * Sources: PNG (ISO/IEC 15948) 11.2.2; JPEG (ITU-T T.81) B.2.2; GIF89a 18; WebP container (RFC 9649) 2.5-2.7.
 *
 * @example readImageHeader(bytesOfAPng)?.width // 640
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view)
  return header && header.width > 0 && header.height > 0 ? header : null
}

function readPng(view: DataView): ImageHeader | null {
  if (view.byteLength < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null
  if (view.getUint32(8) !== 13 || textAt(view, 12, 4) !== "IHDR") return null
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  return { mediaType: "image/png", width, height, animated: false }
}

function readGif(view: DataView): ImageHeader | null {
  if (view.byteLength < 13 || !/^GIF8[79]a$/.test(textAt(view, 0, 6))) return null
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)]
  return { mediaType: "image/gif", width, height, animated: false }
}

function readWebp(view: DataView): ImageHeader | null {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return null
  const size = webpSize(view, textAt(view, 12, 4))
  return size && { mediaType: "image/webp", ...size }
}

function webpSize(view: DataView, chunk: string): Omit<ImageHeader, "mediaType"> | null {
  if (chunk === "VP8X")
    return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27), animated: (view.getUint8(20) & 2) !== 0 }
  if (chunk === "VP8L") {
    if (view.getUint8(20) !== 0x2f) return null
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), animated: false }
  }
  if (chunk !== "VP8 " || view.getUint16(23) !== 0x9d01 || view.getUint8(25) !== 0x2a) return null
  const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  return { width, height, animated: false }
}

/** The size stands in the first frame header, after any number of other segments. */
function readJpeg(view: DataView): ImageHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null
  let at = 2
  for (let segment = 0; segment < maxSegments && at + 4 <= view.byteLength; segment++) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xd9 || marker === 0xda) return null
    if (isFrameHeader(marker)) {
      if (at + 9 > view.byteLength) return null
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
      return { mediaType: "image/jpeg", width, height, animated: false }
    }
    at += standsAlone(marker) ? 2 : 2 + Math.max(2, view.getUint16(at + 2))
  }
  return null
}

/** SOF0 to SOF15, without the tables (DHT, JPG, DAC) that have numbers among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))
}
