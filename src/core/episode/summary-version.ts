/** Changes whenever the words do that ask for a summary of a conversation, or that show it. */
export const summaryVersion = 1
