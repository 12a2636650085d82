/** What calls of simulated users are booked on, apart from those of judges. */
export const userPurpose = "simulated user"

/** What calls for summaries of a conversation are booked on. */
export const summaryPurpose = "history summary"

/** Calls within episodes that are neither the variant's nor a metric's. */
export const nonVariantPurposes: readonly string[] = [userPurpose, summaryPurpose]
