/** What is noted of a service that gives its answers in one piece, where a stream was asked for. */
export const notStreamed =
  "stream: asked for, but the service gives its answers in one piece; times to the first token and between tokens are unknown"
