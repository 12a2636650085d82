/** To the thread. */
export type Request =
  | { readonly type: "job"; readonly id: number; readonly job: object }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "close" }

/** From the thread. */
export type Reply =
  | { readonly type: "done"; readonly id: number; readonly results: unknown }
  | { readonly type: "failed"; readonly id: number; readonly failure: Failure }
  | { readonly type: "progress"; readonly message: string }

/** An error as a message: only its facts travel between threads. */
export interface Failure {
  readonly what: string
  readonly code: string
  readonly where?: string
  readonly hint?: string
  readonly packageName?: string
}
