import type { CaptureSettings } from "../../../src/core/provider.ts"

/** The ways in which an answer can be captured. */
export const arrangements = ["sdk", "undici", "undici in a capture thread"] as const

/** One of {@link arrangements}. */
export type Arrangement = (typeof arrangements)[number]

/** The options of a provider that make it. */
export function capturedBy(arrangement: Arrangement): {
  readonly transport: CaptureSettings["transport"]
  readonly captureThreads: number
} {
  const transport = arrangement === "sdk" ? "sdk" : "undici"
  return { transport, captureThreads: arrangement === "undici in a capture thread" ? 1 : 0 }
}
