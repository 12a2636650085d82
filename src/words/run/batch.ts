/** How batches end. */
export const batchWords = {
  firstCall: (reason: string) => `nothing was sent by batch, because its first call failed: ${reason}`,
  noRoom: "the budget had no room for it",
  missing: "the batch ended without a result of the request",
  expired: "the batch expired before the request was done",
  cancelled: "the batch was cancelled before the request was done",
  failed: "the batch failed as a whole",
  unreadable: (error: string) => `its batch could not be looked at: ${error}`,
  refused: (requests: string, reason: string) => `the service did not take a batch of ${requests}: ${reason}`,
  notAsked: (error: string) => `its service could not be asked for a batch: ${error}`,
} as const
