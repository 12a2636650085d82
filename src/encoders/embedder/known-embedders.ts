import { basename } from "node:path"

/** An encoder that a config names by one word. */
export interface KnownEmbedder {
  /** Hub id of its ONNX files. */
  readonly id: string
  /** Commit of that repository. */
  readonly revision: string
  readonly licence: string
  readonly languages: number
  /** What is fetched at the first use, in megabytes, by type of weights. */
  readonly megabytes: { readonly fp32: number; readonly int8: number }
  /** What its makers put before every text that is compared with its like. */
  readonly prefix: string
}

const knownEmbedders: ReadonlyMap<string, KnownEmbedder> = new Map([
  [
    "multilingual-e5-small",
    {
      id: "Xenova/multilingual-e5-small",
      revision: "761b726dd34fb83930e26aab4e9ac3899aa1fa78",
      licence: "MIT",
      languages: 94,
      megabytes: { fp32: 470, int8: 118 },
      prefix: "query: ",
    },
  ],
])

/**
 * What is known of an encoder, by the last part of its name: its own word, a hub id, or a local folder.
 *
 * @example knownEmbedder("./models/multilingual-e5-small")?.prefix // "query: "
 */
export function knownEmbedder(model: string): KnownEmbedder | undefined {
  return knownEmbedders.get(basename(model))
}
