/** Whether all of the suite runs: every kill, every page at every width, every simulation at its whole size. */
export const isNightly = process.env.EVALKIT_NIGHTLY === "1"

/** How much of a simulation or of a series of kills runs: all of it at night, a part of it on other occasions. */
export const sized = (whole: number, everyday: number): number => (isNightly ? whole : everyday)

/**
 * Long tests of every day, by name: one journey each of what a quick test cannot try (a kill, a fleet, a server, a browser, a package), and
 * the frozen outputs. All others try the same by more ways, and run where EVALKIT_NIGHTLY is 1.
 */
export const daily = [
  "apart-prices",
  "doctor-finds",
  "every-command",
  "first-calls",
  "flaky-service",
  "fleet",
  "fuzz",
  "hostile",
  "interrupt",
  "killed",
  "label",
  "mcp-tools",
  "never-a-stack",
  "opening",
  "outputs",
  "per-turn-judge",
  "postgres",
  "run",
  "served",
  "services",
  "shared-budget",
  "store-states",
  "stumbles",
  "tarball",
  "tasks",
  "tiny-judges",
  "watch",
  "zoo",
]
