/** Whether all of the suite runs: every kill, every page at every width, every simulation at its whole size. */
export const isNightly = process.env.EVALKIT_NIGHTLY === "1"

/** How much of a simulation or of a series of kills runs: all of it at night, a part of it on other occasions. */
export const sized = (whole: number, everyday: number): number => (isNightly ? whole : everyday)

/**
 * Long tests of every day, by name: one journey each of what a quick test cannot try (a kill, a fleet, a server, a browser, a package), and
 * the frozen outputs. All others try the same by more ways, and run where EVALKIT_NIGHTLY is 1.
 */
export const daily = [
  "access",
  "action",
  "apart-prices",
  "batch",
  "bench-config",
  "canary",
  "coordinated-omission",
  "difficulty-from",
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
  "missing-weights",
  "never-a-stack",
  "numeric-match",
  "opening",
  "outputs",
  "patterns",
  "per-turn-judge",
  "postgres",
  "promptfoo-figures",
  "refused-parameters",
  "run",
  "secrets",
  "served",
  "services",
  "shadow",
  "simulation",
  "store-states",
  "stumbles",
  "tarball",
  "tasks",
  "tiny-judges",
  "transformers",
  "watch",
  "zoo",
]
