/** Something that must be right before a run. `skipped`: it does not apply here, or was not asked for. */
export interface DoctorCheck {
  readonly name: string
  readonly status: "ok" | "warning" | "failed" | "skipped"
  /** What was found, with its figures, and what to do where it is not ok. */
  readonly message: string
  /** Milliseconds of the one-token call. */
  readonly latencyMs?: number
}
