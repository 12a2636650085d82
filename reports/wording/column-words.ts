/**
 * What a figure of a variant is, by the id of its column: the tooltip of the column, the words at a page's end and `evalkit explain` say
 * the same sentence.
 */
export const columnWords = {
  ttftMs:
    "Time from the sending of a request to the first token of the answer that a reader sees, thinking left out: how long until something appears, failed attempts and the waits after them included. Milliseconds, lower is better.",
  e2eMs:
    "Time from the sending of a request to the last token of its answer, failed attempts and the waits after them included. Milliseconds, lower is better.",
  tokensPerSecond:
    "Generation speed of one answer after its first token, in tokens per second (median over answers). Higher is better.",
  modelBytes: "Bytes of the model\u2019s weights.",
  memoryBytes: "Most memory that the serving processes took, in bytes: resident memory of all of them together.",
  perThousandUsd:
    "US dollars of 1,000 requests by the price that stands in \u201cMethod\u201d, failed attempts included. Lower is better.",
  failed: "Requests without a usable answer.",
  attemptFailures:
    "Share of the requests sent that failed, those that were sent again and then answered among them; what the account's rate limit refused is left out. Lower is better.",
  joulesPerAnswer:
    "Energy of one answer: what the server\u2019s GPUs and processors drew while it had requests, without load and idle time. Joules.",
  joulesPerCorrect: "The energy of all answers over the correct ones. Joules.",
  electricityUsdPerThousand:
    "US dollars for the electricity of 1,000 answers: their energy at the price of a kilowatt-hour that the config states.",
  gramsCo2PerThousand: "Grams of CO2 equivalent of 1,000 answers, by the factor that the config states.",
} as const
