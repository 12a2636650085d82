/** Why a request of the drawn share has no stored pair. */
export const skipReasons = [
  "request_too_large",
  "media",
  "several_answers",
  "stored_state",
  "service_tools",
  "answer_too_large",
  "caller_left",
  "primary_failed",
  "queue_full",
  "budget",
  "stopped",
  "ending",
  "write_failed",
  "mirror_failed",
] as const

/** One of {@link skipReasons}. */
export type SkipReason = (typeof skipReasons)[number]
