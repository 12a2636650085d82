import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open, readFile, realpath, writeFile } from "node:fs/promises"
import { isAbsolute, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { UsageError } from "../../src/core/errors.ts"
import type { AudioPart, ContentPart, ImagePart } from "../../src/core/media/part.ts"
import { temporaryFolder } from "../../src/platform/temporary-folder.ts"
import { type DownloadLimits, download } from "../download.ts"
import { BadField } from "../field-values.ts"
import { checkSize, type MediaLimits, mediaPart } from "./check-media.ts"
import { defaultMedia, type MediaOptions } from "./options.ts"
import type { MediaSource, RawMedia, RawPart } from "./raw-part.ts"

/** Reads the pictures and recordings of a data set, and gives their bytes again by their hash. */
export interface MediaLoader {
  readonly maxPerSample: number
  /** @throws BadField for what cannot be used, UsageError for a URL that must not be fetched */
  load(part: RawPart): Promise<ContentPart>
  /** The bytes of a part that was loaded; null for others. */
  bytes(sha256: string): Promise<Uint8Array | null>
}

/** What a {@link MediaLoader} reads from. */
export interface MediaPlace {
  /** The data set's folder; null for a data set from the network, which may not name files of this machine. */
  readonly folder: string | null
  readonly options: MediaOptions
  /** Bounds of what is fetched. */
  readonly limits?: DownloadLimits
}

/** A {@link MediaLoader}. In memory are names only: what is in no file is written to a temporary one. */
export function createMediaLoader({ folder, options, limits: network }: MediaPlace): MediaLoader {
  const limits = { ...defaultMedia, ...options }
  const cache = new Map<string, ImagePart | AudioPart>()
  const places = new Map<string, string>()
  let temporary: Promise<string> | undefined

  const keep = async (bytes: Uint8Array, raw: RawMedia, stated: string | null): Promise<ImagePart | AudioPart> => {
    const part = mediaPart(bytes, raw, stated, limits)
    if (!places.has(part.sha256)) {
      temporary ??= temporaryFolder()
      const path = join(await temporary, part.sha256)
      await writeFile(path, bytes)
      places.set(part.sha256, path)
    }
    return part
  }
  const read = async (raw: RawMedia, source: MediaSource): Promise<ImagePart | AudioPart> => {
    if (source.kind === "base64") return keep(decoded(raw, source.data, limits), raw, source.mediaType)
    if (source.kind === "url") {
      const bounds = { ...network, maxBytes: limits.maxBytes }
      return keep(await readFile(await download(new URL(source.url), bounds, raw.type)), raw, null)
    }
    const path = await fileInside(source.path, folder, options.directory)
    const part = mediaPart(await boundedFile(path, raw, source.path, limits), raw, null, limits)
    places.set(part.sha256, path)
    return part
  }
  return {
    maxPerSample: limits.maxPerSample,
    async load(raw) {
      if (raw.type === "text") return raw
      const { source, detail } = raw
      if (source.kind === "url" && raw.type === "image" && limits.urls === "pass")
        return { type: "image_url", url: source.url, ...(detail !== undefined && { detail }) }
      if (source.kind === "base64") return read(raw, source)
      const key = JSON.stringify([raw.type, source, detail ?? null])
      const part = cache.get(key) ?? (await read(raw, source))
      cache.set(key, part)
      return part
    },
    async bytes(sha256) {
      const path = places.get(sha256)
      if (path === undefined) return null
      const bytes = await readFile(path)
      if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes
      throw new UsageError("a file of the data set changed while it was read", { where: path, hint: "run it again" })
    },
  }
}

/** Base64, not more than the limit lets in. */
function decoded(raw: RawMedia, data: string, limits: MediaLimits): Uint8Array {
  checkSize(raw.type, Math.floor((data.length * 3) / 4) - 2, limits)
  const text = data.replace(/\s+/g, "")
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) || text === "") throw new BadField("the base64 cannot be read")
  return Buffer.from(text, "base64")
}

/**
 * The path of a file that lies in the folder that a data set may name files of, links followed: a data set comes from anywhere, and
 * what it names is sent to a service.
 */
async function fileInside(name: string, folder: string | null, directory: string | undefined): Promise<string> {
  if (folder === null) throw new BadField("a data set from the network may not name files of this machine; give URLs")
  const file = /^file:/i.test(name) ? fileURLToPath(name) : name
  const inside = resolve(folder, directory ?? ".")
  const path = await realpath(resolve(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw new BadField(`the file ${JSON.stringify(name)} cannot be read (${error.code ?? "unknown"})`)
  })
  const below = relative(await realpath(inside).catch(() => inside), path)
  if (below.startsWith("..") || isAbsolute(below))
    throw new BadField(
      `the file ${JSON.stringify(name)} is outside the folder of the data set; name its folder: media: { directory: "…" }`,
    )
  return path
}

async function boundedFile(path: string, raw: RawMedia, name: string, limits: MediaLimits): Promise<Uint8Array> {
  // Not blocking: a pipe without a writer would be waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new BadField(`the file ${JSON.stringify(name)} cannot be read (${error.code ?? "unknown"})`)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new BadField(`${JSON.stringify(name)} is not a file`)
    checkSize(raw.type, stats.size, limits)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
