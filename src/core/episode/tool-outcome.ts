/** How a call of a tool ended, as an episode keeps it: every call that a model made ends in exactly one. @experimental */
export const toolOutcomes = [
  "ok",
  // The tool said itself that it failed: it threw an error.
  "error",
  // It did not end within its time limit.
  "timeout",
  // The model called a tool that there is not.
  "unknown_tool",
  // The arguments are not JSON.
  "malformed_arguments",
  // The arguments are JSON and not what the tool's schema asks for: one is missing, or has another type.
  "invalid_arguments",
  // The result is longer than what a model is given: it was given the beginning.
  "too_large",
  // Recorded answers have none for these arguments.
  "no_recording",
  // The error was made on purpose, to see whether the model recovers.
  "injected_error",
  // The process ended while the tool ran. Whether it took effect is not known, and it is not called again.
  "interrupted",
] as const

/** One of {@link toolOutcomes}. @experimental */
export type ToolOutcome = (typeof toolOutcomes)[number]

/** Whether the model got something that it can go on with: a result, whole or cut. @experimental */
export function isToolResult(outcome: ToolOutcome | "begun"): boolean {
  return outcome === "ok" || outcome === "too_large"
}
