import { type Outcome, outcomes } from "../../../src/core/outcome.ts"
import { capital } from "../../../src/words/names.ts"
import { outcomeWords } from "../failure-reasons.ts"
import type { Term } from "./term.ts"

type Meaning = readonly [text: string, note?: string]

const retries = "It is asked again, as often as the config\u2019s retries allow; the last attempt counts."
const loss = "An answer that never came counts as the worst value in every comparison, and as failed."
const notTheModel =
  "It says nothing of the variant: in a comparison the sample counts as if it had not been asked, and is not made up for by the worst value."

const meanings: Readonly<Record<Outcome, Meaning>> = {
  ok: ["The model ended its answer by itself. Its text is scored and its time counts."],
  length: [
    "What was written up to the token limit is scored, and its time counts.",
    "Many of these make a long-winded model look bad and fast: raise maxTokens, or read them apart.",
  ],
  refused: [
    "The service ended the answer with its content filter or a refusal. That is the model\u2019s own doing: it is scored as it is, and not asked again.",
    "A refusal in words that the service does not mark is ok; the metric refusal finds it.",
  ],
  empty: ["The answer ended without a text and without a call of a tool. It is scored as an empty answer."],
  thinking_only: [
    "The answer ended inside its thinking, which no mark closes: there is no answer. It is scored as an empty one.",
    "Look at the template and the stop words of the server; where the token limit ended it, it is length_empty.",
  ],
  length_empty: [
    "All tokens were spent before the answer began, mostly on thinking. There is no text to score.",
    "Raise maxTokens, or lower the effort.",
  ],
  step_limit: [
    "An agent had made as many calls of tools as it may and wanted more. The state that it left is scored, and its time counts.",
    "Raise maxSteps where tasks need more.",
  ],
  turn_limit: [
    "A conversation with a simulated user came to its last turn before either side ended it. It is scored, and its time counts.",
  ],
  user_failed: ["What the variant would have answered is not known.", notTheModel],
  truncated: ["The stream ended without its end mark.", `${retries} ${loss}`],
  malformed: [
    "What came is no answer of the protocol, or not the JSON that the service was asked to keep to.",
    `${retries} ${loss}`,
  ],
  stream_error: ["The service sent an error after it had begun to answer.", `${retries} ${loss}`],
  http_4xx: [
    "The service said that the request is wrong: HTTP 400 to 499 except 429. 401 and 403 are about the key, 404 about the model\u2019s name or the address, 400 mostly about a parameter or a prompt that is too long.",
    "It is not asked again, since the same request would fail again. evalkit doctor says what to change.",
  ],
  rate_limited: [
    "HTTP 429. evalkit waits as long as the service asks, and sends less at once.",
    `${retries} Many of these mean that the limit of the account is lower than the concurrency of the config.`,
  ],
  http_5xx: ["HTTP 500 to 599: the fault is on the service\u2019s side.", `${retries} ${loss}`],
  timeout_connect: ["No connection within timeouts.connectMs (10 s unless stated).", `${retries} ${loss}`],
  timeout_first_token: [
    "The request was sent, and nothing came within timeouts.firstTokenMs (60 s unless stated).",
    `${retries} ${loss} A model that thinks for long needs a larger limit.`,
  ],
  timeout_gap: [
    "The answer had begun, and then nothing came for timeouts.gapMs (30 s unless stated).",
    `${retries} ${loss}`,
  ],
  timeout_total: ["The answer was not complete within timeouts.totalMs (300 s unless stated).", `${retries} ${loss}`],
  connection: [
    "The address could not be reached, or the connection broke before the answer began.",
    `${retries} ${loss}`,
  ],
  application_error: [
    "The function that the config gave to fromFunction, or a command, threw an error or ended with one.",
    "Its message stands beside it. It is not asked again.",
  ],
  batch_expired: ["The service did not come to the request within the time of its batch.", notTheModel],
  batch_cancelled: ["The batch was ended before the service came to the request.", notTheModel],
  batch_failed: ["The service refused the batch as a whole, or stopped it.", notTheModel],
  batch_missing: ["The batch is complete and says nothing of the request.", notTheModel],
  cancelled: ["The run was stopped, or its budget was spent, while the request was under way.", notTheModel],
  client_fault: [
    "The request could not be made, or a provider of the config ended with an error of its own.",
    notTheModel,
  ],
}

/** How a request ended, a term for each class: what `evalkit explain http_5xx` prints. */
export const outcomeTerms: readonly Term[] = outcomes.map((outcome) => {
  const [text, note] = meanings[outcome]
  const words = outcomeWords[outcome]
  return {
    id: outcome,
    title: outcome,
    kind: "outcome",
    place: "outcome",
    text: `${capital(words)}. ${text}`,
    also: [words],
    ...(note !== undefined && { note }),
  }
})
