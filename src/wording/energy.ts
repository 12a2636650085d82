/** What may be wrong with the energy of a GPU. */
export const energyNotes = {
  shared: (processes: number) => `${processes} other processes used the same GPUs: their energy is in it`,
  meanOfSecond: "the driver states the mean of a second: answers that are shorter mix with idle time",
} as const
