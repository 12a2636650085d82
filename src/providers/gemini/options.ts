import type { ServiceOptions } from "../dialect/options.ts"

/** Options of `gemini`: those of every service, with the key in `GEMINI_API_KEY`, and its own. @public */
export interface GeminiOptions extends ServiceOptions {
  /**
   * `off`, `dynamic` (as much as the model sees fit), a budget in tokens, or a level. Absent: as the model does by itself. Models up to
   * 2.5 take budgets, later ones levels. Thoughts are asked for as summaries, which stand apart from the text.
   */
  readonly thinking?: "off" | "dynamic" | "minimal" | "low" | "medium" | "high" | number
  /** `flex` is cheaper and slower, `priority` dearer and faster. */
  readonly serviceTier?: "standard" | "flex" | "priority"
}
