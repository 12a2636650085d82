/** Whether all of the suite runs: every kill, every page at every width, every simulation at its whole size. */
export const isNightly = process.env.EVALKIT_NIGHTLY === "1"

/** How much of a simulation or of a series of kills runs: all of it at night, a part of it on other occasions. */
export const sized = (whole: number, everyday: number): number => (isNightly ? whole : everyday)
