/** What is measured of a quantization against another one, in the order in which it is shown. */
export const measures = {
  quality: { title: "quality", explanation: "difference of the metric that decides" },
  lost: { title: "right → wrong", explanation: "answers that were right and are wrong now, of all" },
  won: { title: "wrong → right", explanation: "answers that were wrong and are right now, of all" },
  divergence: {
    title: "KL divergence, nats/token",
    explanation: "how far the token distributions lie apart; 0 is the same",
  },
  topToken: { title: "same top token", explanation: "positions at which both rank the same token first" },
  perplexity: { title: "perplexity", explanation: "how much more surprised it is by given texts" },
  tokens: { title: "length of answers", explanation: "output tokens of an answer; longer answers eat a speed-up" },
  timePerToken: { title: "time per token", explanation: "decoding alone" },
  timePerAnswer: { title: "time per answer", explanation: "from the request to the last token" },
  timePerCorrect: {
    title: "time per correct answer",
    explanation: "wrong and failed answers take time, too, and bring nothing",
  },
  costPerCorrect: {
    title: "cost per correct answer",
    explanation: "what is paid for all answers, by the correct ones",
  },
  size: { title: "size of the file", explanation: "of the model on disk" },
} as const satisfies Record<string, { readonly title: string; readonly explanation: string }>

/** The name of a measure. */
export type MeasureName = keyof typeof measures

/** How a measure's value reads. */
export const measureUnits: Readonly<Record<MeasureName, "points" | "share" | "count" | "plain" | "change">> = {
  quality: "points",
  lost: "count",
  won: "count",
  divergence: "plain",
  topToken: "share",
  perplexity: "change",
  tokens: "change",
  timePerToken: "change",
  timePerAnswer: "change",
  timePerCorrect: "change",
  costPerCorrect: "change",
  size: "change",
}
