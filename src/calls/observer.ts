import type { Attempt, Generation } from "../core/generation.ts"

/** What can be watched while answers are made. */
export interface GenerateObserver {
  callStarted(variant: string): void
  /** The answer is on disk. */
  callSaved(generation: Generation): void
  /** The call ended without an answer that could be saved (interrupted). */
  callDropped(variant: string): void
  retried(variant: string, attempt: Attempt, delayMs: number): void
  variantFailed(variant: string, message: string): void
}
