import { useEffect, useRef, useState } from "preact/hooks"
import { plainText } from "../../../src/words/text.ts"
import type { AnswerText, SampleText } from "../../page/payload.ts"
import { type ComparedEntry, threadDifference } from "../../wording/thread-difference.ts"
import { usePage } from "../context.tsx"
import { Choice, Folded, Foreign } from "../parts.tsx"
import { useHashState } from "../state.ts"
import { AnswerPane } from "./answer-pane.tsx"
import { NoText, Picture } from "./answer-parts.tsx"
import type { RowStore } from "./rows.ts"
import { wordDiff } from "./segments.ts"
import type { Steps } from "./use-steps.ts"

/** Everything about one sample: its input, what was expected, and two answers side by side, or those of all variants. */
export function SamplePane(props: {
  store: RowStore
  sample: number
  steps: Steps
  /** Called once the sample's texts are on the page. */
  onShown: () => void
  onClose: () => void
}) {
  const { store, sample, steps, onShown, onClose } = props
  const { report } = usePage()
  const names = store.index.variants
  const baseline = report.variants.find((variant) => variant.baseline)?.name ?? names[0] ?? ""
  const other = report.decision?.choice ?? names.find((name) => name !== baseline) ?? baseline
  const [askedLeft, setLeft] = useHashState("left", baseline)
  const [askedRight, setRight] = useHashState("right", other)
  const left = names.includes(askedLeft) ? askedLeft : baseline
  const right = names.includes(askedRight) ? askedRight : other
  const [view, setView] = useHashState("view", "")
  const [read, setRead] = useState<{ readonly sample: number; readonly text: SampleText } | null>(null)
  const pane = useRef<HTMLElement>(null)
  // The sample before stays until the next one is read: what has the focus in the pane keeps it.
  useEffect(() => {
    let isLeft = false
    void store.text(sample).then((text) => {
      if (!isLeft) setRead(text ? { sample, text } : null)
    })
    return () => {
      isLeft = true
    }
  }, [store, sample])
  useEffect(() => {
    if (pane.current) pane.current.scrollTop = 0
    if (read) onShown()
  }, [read])
  if (!read) return <p class="note">loading</p>
  const { text } = read
  const id = store.index.sampleIds[read.sample] ?? ""
  const find = (name: string) => text.answers.find((answer) => answer.variant === names.indexOf(name))
  const others = view === "all" ? names.filter((name) => name !== left) : left === right ? [] : [right]
  const reference = find(left)
  const compared = others.map((name) => {
    const answer = find(name)
    const diff = reference && answer ? wordDiff(reference.text, answer.text) : null
    const parting =
      reference?.thread && answer?.thread
        ? threadDifference(entriesOf(reference.thread), entriesOf(answer.thread))
        : undefined
    return { name, answer, diff, parting }
  })
  const expected = text.references.join("\n")
  const pair = view === "all" ? undefined : compared[0]
  const options = names.map((name) => ({ value: name, title: plainText(name, 40) }))
  return (
    <article ref={pane} class="pane" tabIndex={-1} aria-label={`sample ${plainText(id, 60)}`}>
      <header>
        <h3>
          <Foreign text={id} limit={120} />
        </h3>
        <nav class="steps" aria-label="Samples of the list">
          <small>{steps.position > 0 ? `${steps.position} of ${steps.of}` : "not in the list"}</small>
          <Step title="previous" press="k" go={steps.previous} />
          <Step title="next" press="j" go={steps.next} />
          <button type="button" class="plain" onClick={onClose} title="Escape">
            close
          </button>
        </nav>
      </header>
      {text.input.map((turn, index) => (
        <div key={index} class="block">
          <span class="role">{turn.role}</span>
          {turn.media?.map((medium, i) => (
            <Picture key={i} shown={medium} />
          ))}
          {turn.text.trim() !== "" ? (
            <Foreign text={turn.text} limit={20_000} />
          ) : (
            turn.media === undefined && <NoText text={turn.text} />
          )}
        </div>
      ))}
      {text.references.length > 0 && (
        <div class="block">
          <span class="role">expected</span>
          {expected.trim() === "" ? <NoText text={expected} /> : <Foreign text={expected} limit={10_000} />}
        </div>
      )}
      {text.context.map((passage, index) => (
        <Folded key={index} title={`passage ${index + 1}`} text={passage} />
      ))}
      {text.isCut && (
        <p class="note">
          {text.whole === undefined ? (
            "Long texts are cut at … here: the exports hold them whole, and evalkit report --full-texts writes them beside the page."
          ) : (
            <>
              Texts are cut here; <a href={text.whole}>show the full texts</a>.
            </>
          )}
        </p>
      )}
      <div class="controls">
        <Choice label={view === "all" ? "against" : "left"} value={left} options={options} onChange={setLeft} />
        {view !== "all" && <Choice label="right" value={right} options={options} onChange={setRight} />}
        {names.length > 2 && (
          <Choice
            label="show"
            value={view}
            options={[
              { value: "", title: "two answers" },
              { value: "all", title: `all ${names.length} variants` },
            ]}
            onChange={setView}
          />
        )}
        {compared.some(({ diff }) => diff && !diff.compared) && (
          <span class="note">too long for a comparison word by word</span>
        )}
      </div>
      {pair?.parting !== undefined && (
        <p class="note">
          {pair.parting === null
            ? "Both went through the same steps."
            : `They part at step ${pair.parting.at + 1}, in turn ${pair.parting.turn} of the user.`}
        </p>
      )}
      <div
        class={view === "all" ? "columns all" : "columns"}
        {...(view === "all" && { role: "group", tabIndex: 0, "aria-label": "answers of all variants" })}
      >
        <AnswerPane
          store={store}
          sample={read.sample}
          variant={left}
          answer={reference}
          pieces={pair?.diff?.a}
          partsAt={pair?.parting?.at ?? null}
          side="left"
        />
        {compared.map(({ name, answer, diff, parting }) => (
          <AnswerPane
            key={name}
            store={store}
            sample={read.sample}
            variant={name}
            answer={answer}
            pieces={diff?.b}
            partsAt={parting?.at ?? null}
            side="right"
          />
        ))}
      </div>
    </article>
  )
}

/** The entries of a thread as they are compared. */
function entriesOf(thread: NonNullable<AnswerText["thread"]>): readonly ComparedEntry[] {
  return thread.map(([who, label, text]) => ({ who, label, text }))
}

function Step({ title, press, go }: { title: string; press: string; go: (() => void) | null }) {
  return (
    <button type="button" class="plain" disabled={go === null} onClick={() => go?.()} title={`key ${press}`}>
      {title}
    </button>
  )
}
