/** What is noted of a service that gives its answers in one piece. */
export const notStreamed = "stream: answers come in one piece; times to the first token and between tokens are unknown"
