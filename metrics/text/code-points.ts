/**
 * The code points of a text, without those that `skip` names. Code points, not UTF-16 units: 𝒜 is one.
 * A lone surrogate counts as itself.
 *
 * @example codePoints("a𝒜") // Int32Array [97, 119964]
 */
export function codePoints(text: string, skip?: (code: number) => boolean): Int32Array {
  const { length } = text
  const points = new Int32Array(length)
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
    points[count++] = code
  }
  return points.subarray(0, count)
}
