const block = 512

/**
 * The plain files of a tar archive in memory (POSIX ustar; names up to 100 bytes, which is all that WordNet's has).
 *
 * @param {Buffer} archive
 * @throws RangeError when the archive ends within a file
 */
export function* untar(archive) {
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const name = text(archive, at, 100)
    const size = Number.parseInt(text(archive, at + 124, 12), 8)
    const type = archive[at + 156]
    at += block
    if (!(size >= 0) || at + size > archive.length) throw new RangeError(`archive ends within ${name}`)
    if (type === 0 || type === 0x30) yield { name, content: archive.subarray(at, at + size) }
    at += Math.ceil(size / block) * block
  }
}

function text(archive, from, length) {
  const field = archive.toString("latin1", from, from + length)
  const end = field.indexOf("\0")
  return (end < 0 ? field : field.slice(0, end)).trim()
}
