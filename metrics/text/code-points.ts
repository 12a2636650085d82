/**
 * The code points of a text, without those that `skip` names. Code points, not UTF-16 units: 𝒜 is one.
 * A lone surrogate counts as itself.
 *
 * @example codePoints("a𝒜") // Int32Array [97, 119964]
 */
export function codePoints(text: string, skip?: (code: number) => boolean): Int32Array {
  const points = new Int32Array(text.length)
  return points.subarray(0, readCodePoints(text, points, skip))
}

/** {@link codePoints} into an array that is as long as the text or longer; how many they are. */
export function readCodePoints(text: string, into: Int32Array, skip?: (code: number) => boolean): number {
  const { length } = text
  let count = 0
  for (let i = 0; i < length; i++) {
    let code = text.charCodeAt(i)
    if ((code & 0xfc00) === 0xd800 && i + 1 < length) {
      const low = text.charCodeAt(i + 1)
      if ((low & 0xfc00) === 0xdc00) {
        code = ((code - 0xd800) << 10) + low - 0xdc00 + 0x10000
        i++
      }
    }
    if (skip?.(code)) continue
    into[count++] = code
  }
  return count
}

/** How many code points a text has. */
export function countCodePoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--
  return count
}
