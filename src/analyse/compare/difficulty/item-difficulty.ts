/** How hard earlier runs found items, for one metric: what a paired difference is adjusted by. @experimental */
export interface ItemDifficulty {
  /** Ids of the earlier runs, as they were named. */
  readonly runs: readonly string[]
  /** Mean score of an item over all variants and repeats of the earlier runs, by the content of the item. */
  readonly scores: ReadonlyMap<string, number>
  /** Content of the samples that are compared, by their id. */
  readonly contentOf: ReadonlyMap<string, string>
}
