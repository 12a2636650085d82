import type { ServiceOptions } from "../dialect/options.ts"

/** Options of `cohere`: those of every service, with the key in `COHERE_API_KEY`, and its own. @public */
export interface CohereOptions extends ServiceOptions {
  /** `off`, `on`, or a budget in tokens. Absent: as the model does by itself; those that can think do. */
  readonly thinking?: "off" | "on" | number
}
