import { useEffect, useState } from "preact/hooks"
import { plainText } from "../../format/text.ts"
import type { AnswerText, SampleText } from "../../page/payload.ts"
import { type ComparedEntry, threadDifference } from "../../wording/thread-difference.ts"
import { usePage } from "../context.tsx"
import { Choice, Foreign } from "../parts.tsx"
import { useHashState } from "../state.ts"
import { AnswerPane } from "./answer-pane.tsx"
import { Picture } from "./picture.tsx"
import type { RowStore } from "./rows.ts"
import { wordDiff } from "./word-diff.ts"

/** Everything about one sample: its input, what was expected, and two answers side by side. */
export function SamplePane(props: { store: RowStore; sample: number; onClose: () => void }) {
  const { store, sample, onClose } = props
  const { report } = usePage()
  const names = store.index.variants
  const baseline = report.variants.find((variant) => variant.baseline)?.name ?? names[0] ?? ""
  const other = report.decision?.choice ?? names.find((name) => name !== baseline) ?? baseline
  const [left, setLeft] = useHashState("left", baseline)
  const [right, setRight] = useHashState("right", other)
  const [text, setText] = useState<SampleText | null>(null)
  useEffect(() => {
    void store.text(sample).then((found) => setText(found ?? null))
  }, [store, sample])
  if (!text) return <p class="note">loading</p>
  const find = (name: string) => text.answers.find((answer) => answer.variant === names.indexOf(name))
  const pair = [find(left), find(right)] as const
  const diff = pair[0] && pair[1] && left !== right ? wordDiff(pair[0].text, pair[1].text) : null
  const parting =
    pair[0]?.thread && pair[1]?.thread && left !== right
      ? threadDifference(entriesOf(pair[0].thread), entriesOf(pair[1].thread))
      : undefined
  const options = names.map((name) => ({ value: name, title: plainText(name, 40) }))
  const shared = { store, sample, partsAt: parting?.at ?? null }
  return (
    <article class="pane" aria-label={`sample ${plainText(store.index.sampleIds[sample] ?? "", 60)}`}>
      <header>
        <h3>
          <Foreign text={store.index.sampleIds[sample] ?? ""} limit={120} />
        </h3>
        <button type="button" class="plain" onClick={onClose}>
          close
        </button>
      </header>
      {text.input.map((turn, index) => (
        <div key={index} class="block">
          <span class="role">{turn.role}</span>
          {turn.media?.map((one, place) => (
            <Picture key={place} shown={one} />
          ))}
          <Foreign text={turn.text} limit={20_000} />
        </div>
      ))}
      {text.references.length > 0 && (
        <div class="block">
          <span class="role">expected</span>
          <Foreign text={text.references.join("\n")} limit={10_000} />
        </div>
      )}
      {text.context.map((passage, index) => (
        <details key={index}>
          <summary>{`passage ${index + 1}`}</summary>
          <Foreign text={passage} limit={20_000} />
        </details>
      ))}
      {text.whole !== undefined && (
        <p class="note">
          Texts are cut here; <a href={text.whole}>show the full texts</a>.
        </p>
      )}
      <div class="controls">
        <Choice label="left" value={left} options={options} onChange={setLeft} />
        <Choice label="right" value={right} options={options} onChange={setRight} />
        {diff && !diff.compared && <span class="note">too long for a comparison word by word</span>}
      </div>
      {parting !== undefined && (
        <p class="note">
          {parting === null
            ? "Both went through the same steps."
            : `They part at step ${parting.at + 1}, in turn ${parting.turn} of the user.`}
        </p>
      )}
      <div class="columns">
        <AnswerPane {...shared} variant={left} answer={pair[0]} pieces={diff?.a} side="left" />
        {left !== right && <AnswerPane {...shared} variant={right} answer={pair[1]} pieces={diff?.b} side="right" />}
      </div>
    </article>
  )
}

/** The entries of a thread as they are compared. */
function entriesOf(thread: NonNullable<AnswerText["thread"]>): readonly ComparedEntry[] {
  return thread.map(([who, label, text]) => ({ who, label, text }))
}
