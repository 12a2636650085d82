/** How pictures and recordings of a data set are read, and how large they may be. @public */
export interface MediaOptions {
  /** Folder that files must lie in, relative to the data set's. Default: the data set's own (of inline rows, the config's). */
  readonly directory?: string
  /**
   * Who fetches pictures that are named by a URL. `pass`: the service, which is sent the address; evalkit then sees no bytes, and two
   * runs are only known to have had the same address. `fetch`: evalkit, once, from public addresses only, and sends the bytes.
   * Default: `pass`. Recordings are always fetched: no service takes their address.
   */
  readonly urls?: "pass" | "fetch"
  /** Bytes of one file. Default: 20 MiB. */
  readonly maxBytes?: number
  /** Pixels of one picture, width times height. Default: 100 million. */
  readonly maxPixels?: number
  /** Pictures and recordings of one sample. Default: 20. */
  readonly maxPerSample?: number
}

/** Limits where none are stated. */
export const defaultMedia = { urls: "pass", maxBytes: 20 * 2 ** 20, maxPixels: 100e6, maxPerSample: 20 } as const
