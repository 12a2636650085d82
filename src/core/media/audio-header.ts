import type { AudioType } from "./part.ts"

/** What the first bytes of a recording say. */
export interface AudioHeader {
  readonly mediaType: AudioType
  /** Null where the header does not tell: MP3. */
  readonly seconds: number | null
}

/** Chunks of a WAV that are looked at, at most. */
const maxChunks = 256

/**
 * Kind and length of a recording by its header; null where it is neither WAV nor MP3. The samples are not looked at.
 *
 * Sources: Multimedia Programming Interface and Data Specifications 1.0 (RIFF WAVE); ISO/IEC 11172-3 2.4.1.3 (MP3 frames); ID3v2.4.
 */
export function readAudioHeader(bytes: Uint8Array): AudioHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength >= 12 && nameAt(view, 0) === "RIFF" && nameAt(view, 8) === "WAVE")
    return { mediaType: "audio/wav", seconds: wavSeconds(view) }
  if (view.byteLength < 4) return null
  const isTagged = nameAt(view, 0).startsWith("ID3")
  const isLayer3 = (view.getUint16(0) & 0xffe6) === 0xffe2
  return isTagged || isLayer3 ? { mediaType: "audio/mpeg", seconds: null } : null
}

/** Bytes of samples over bytes a second; null where one of them is not stated. */
function wavSeconds(view: DataView): number | null {
  let rate = 0
  let at = 12
  for (let chunk = 0; chunk < maxChunks && at + 8 <= view.byteLength; chunk++) {
    const [name, length] = [nameAt(view, at), view.getUint32(at + 4, true)]
    if (name === "fmt " && at + 20 <= view.byteLength) rate = view.getUint32(at + 16, true)
    if (name === "data") return rate > 0 ? Math.min(length, view.byteLength - at - 8) / rate : null
    at += 8 + length + (length % 2)
  }
  return null
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4))
}
