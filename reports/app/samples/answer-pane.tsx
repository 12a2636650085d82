import { useState } from "preact/hooks"
import { metricCalled } from "../../../src/words/metric.ts"
import { count, counted, significant } from "../../../src/words/number.ts"
import { milliseconds } from "../../../src/words/quantity.ts"
import { plainLines } from "../../../src/words/text.ts"
import type { AnswerText } from "../../page/payload.ts"
import { stageName } from "../../wording/stages.ts"
import { unscoredWords } from "../../wording/unscored-words.ts"
import { InlineMark, round } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Folded, Foreign } from "../parts.tsx"
import { answerCost } from "./answer-cost.ts"
import { Objections, Output, StagePassages } from "./answer-parts.tsx"
import type { RowStore } from "./rows.ts"
import type { DiffPiece } from "./segments.ts"
import { Thread } from "./thread.tsx"

/** One answer: its text with what differs marked, how it was scored and why, how its tokens arrived. */
export function AnswerPane(props: {
  store: RowStore
  sample: number
  variant: string
  answer: AnswerText | undefined
  pieces: readonly DiffPiece[] | undefined
  side: "left" | "right"
  /** Where its thread and that of the other side part; null where they do not, or are not compared. */
  partsAt: number | null
}) {
  const { store, sample, variant, answer, pieces, side, partsAt } = props
  const [coloured, setColoured] = useState(false)
  if (!answer) return <p class="unknown">no answer of this variant</p>
  return (
    <div class="answer-pane">
      <p>
        <InlineMark variant={variant} /> <Foreign text={variant} limit={60} />
      </p>
      <div class={`output ${side}`}>
        {coloured && answer.logprobs ? (
          <Coloured tokens={answer.logprobs} />
        ) : (
          <Output answer={answer} pieces={pieces} />
        )}
      </div>
      <Objections answer={answer} metrics={store.index.metrics} />
      {answer.logprobs && (
        <button type="button" class="plain" aria-pressed={coloured} onClick={() => setColoured(!coloured)}>
          {coloured ? "show the differences" : "colour by probability"}
        </button>
      )}
      <Scores store={store} sample={sample} variant={variant} answer={answer} />
      {answer.reasoning && <Folded title="reasoning" text={answer.reasoning} />}
      {answer.thread && <Thread thread={answer.thread} partsAt={partsAt} />}
      {answer.tools && <Folded title="tool calls" text={answer.tools} isCode />}
      {answer.stagePassages && <StagePassages stages={answer.stagePassages} />}
      {answer.passages && answer.passages.length > 0 && (
        <details>
          <summary>{counted(answer.passages.length, "passage")} retrieved</summary>
          <ol>
            {answer.passages.map((passage, index) => (
              <li key={index}>
                <Foreign text={passage} limit={20_000} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {answer.returned && <Folded title="returned with the text" text={answer.returned} isCode />}
      {answer.events && answer.events.length > 0 && <Timeline events={answer.events} />}
    </div>
  )
}

/** Tokens in five shades by their probability; the number on hover. */
function Coloured({ tokens }: { tokens: readonly (readonly [string, number])[] }) {
  const shade = (logprob: number) => [0.9, 0.6, 0.3, 0.1].findIndex((limit) => Math.exp(logprob) >= limit)
  return (
    <bdi class="foreign">
      {tokens.map(([token, logprob], index) => (
        <span
          key={index}
          class={`lp${shade(logprob) < 0 ? 4 : shade(logprob)}`}
          title={`probability ${significant(Math.exp(logprob))}`}
        >
          {plainLines(token)}
        </span>
      ))}
    </bdi>
  )
}

function Scores(props: { store: RowStore; sample: number; variant: string; answer: AnswerText }) {
  const { store, sample, variant, answer } = props
  const { report } = usePage()
  const { index, starts } = store
  const { answers } = index
  const number = index.variants.indexOf(variant)
  let at = starts[sample] as number
  while (at < (starts[sample + 1] as number) && answers.variant[at] !== number) at++
  const untimed = untimedWords(answer)
  const time = (value: number | null | undefined) => (value == null ? { unknown: untimed } : milliseconds(value))
  const tokens = answers.tokens[at] ?? null
  const own = report.variants[number]
  const cost = own && answerCost(own, answers.costUsd[at] ?? null, tokens)
  const facts: readonly (readonly [string, string | { readonly unknown: string }])[] = [
    ["ended", [index.outcomes[answers.outcome[at] as number], answer.finishReason].filter(Boolean).join(", ")],
    ["source", answer.source],
    ["first token", time(answers.ttftMs[at])],
    ["end to end", time(answers.e2eMs[at])],
    ...(answer.stages ?? []).map(([name, ms]) => [`stage ${stageName(name)}`, milliseconds(ms)] as const),
    ["tokens", tokens === null ? { unknown: "not counted by the service" } : count(tokens)],
    ...(cost ? [["cost", "known" in cost ? cost.known : cost] as const] : []),
    ["retries", answer.retries ? counted(answer.retries, "attempt") : "none"],
    ...(answer.failure ? [["failure", answer.failure] as const] : []),
  ]
  return (
    <dl class="scores">
      {index.metrics.map((metric, position) => {
        const value = answers.values[position]?.[at]
        const reason = answer.reasons?.[metric]
        return (
          <div key={metric}>
            <dt>{metricCalled(report.metrics, metric)}</dt>
            <dd>
              {value == null ? <span class="unknown">no value</span> : significant(value)}
              {reason && (
                <small class="why">
                  <Foreign text={value == null ? unscoredWords(reason) : reason} limit={2000} />
                </small>
              )}
            </dd>
          </div>
        )
      })}
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {typeof text === "string" ? (
              <Foreign text={text} limit={600} />
            ) : (
              <span class="unknown">
                unknown: <Foreign text={text.unknown} limit={300} />
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Why an answer has no latency. */
function untimedWords({ source, failure }: AnswerText): string {
  if (failure !== undefined) return "no whole answer came"
  return untimedSources[source] ?? "its arrival was not timed"
}

const untimedSources: Readonly<Record<string, string>> = {
  replayed: "the answer is from the cache",
  batch: "the answer came by batch",
  foreign: "another tool asked for the answer",
}

/** When the pieces of the answer arrived, since the request was sent. */
function Timeline({ events }: { events: readonly (readonly [number, string])[] }) {
  const end = Math.max(...events.map(([at]) => at), 1e-9)
  const label = `${counted(events.length, "event")} over ${milliseconds(end)}`
  return (
    <figure class="timeline">
      <svg viewBox="0 0 400 20" aria-hidden="true">
        <line x1="0" x2="400" y1="10" y2="10" />
        {events.map(([at, kind], index) => (
          <line
            key={index}
            class={`event ${kind}`}
            x1={round((at / end) * 398 + 1)}
            x2={round((at / end) * 398 + 1)}
            y1="3"
            y2="17"
          />
        ))}
      </svg>
      <figcaption class="note">{label}</figcaption>
    </figure>
  )
}
