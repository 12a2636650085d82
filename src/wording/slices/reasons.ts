/** Why the samples are not cut by a field. */
export const noSlices = {
  fewSlices: (min: number) => `it has no two slices of ${min} samples`,
  manyValues: (max: number) => `it has more than ${max} values`,
  nobodyHasIt: "no sample has it",
  oneValue: "it has one value only",
  unknownOfAll: "it is known of no sample",
  sameForAll: "it is the same for all samples",
  noneAsked: "earlier runs asked none of these samples",
  noMean: "it is no mean over samples, so that a slice has no paired difference of it",
} as const
