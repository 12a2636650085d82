import { useEffect, useRef, useState } from "preact/hooks"
import { quantity } from "../../../src/words/quantity.ts"
import { shortenedNames } from "../../../src/words/short-names.ts"
import { plainText } from "../../../src/words/text.ts"
import type { SampleText } from "../../page/payload.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Heading } from "../words.tsx"
import { NoText } from "./answer-parts.tsx"
import { decidingValue } from "./filter.ts"
import { useListed } from "./listed-choice.tsx"
import { answersOf, type RowStore } from "./rows.ts"
import { shortValue } from "./short-value.ts"

const rowHeight = 38

/** The samples as a table that holds only the rows in view, however many there are. */
export function SampleTable(props: {
  store: RowStore
  shown: readonly number[]
  chosen: number
  /** The reader walks over a sample. */
  onChoose: (sample: number) => void
  /** The reader wants to read a sample: a click, or Enter. */
  onOpen: (sample: number) => void
}) {
  const { store, shown, chosen, onChoose, onOpen } = props
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [, redraw] = useState(0)
  const height = Math.min(460, Math.max(rowHeight * 2, shown.length * rowHeight))
  const first = Math.max(0, Math.floor(top / rowHeight) - 4)
  const last = Math.min(shown.length, Math.ceil((top + height) / rowHeight) + 4)
  const visible = shown.slice(first, last)
  const [variants] = useListed(store.index.variants)

  useEffect(() => {
    let stopped = false
    const missing = visible.filter((sample) => !store.peek(sample))
    void Promise.all(missing.map((sample) => store.text(sample))).then(() => {
      if (!stopped && missing.length > 0) redraw((count) => count + 1)
    })
    return () => {
      stopped = true
    }
  }, [store, visible.join()])

  // The chosen row is in view, however it was chosen: by a click, a key, the pane or the address.
  useEffect(() => {
    const [at, element] = [shown.indexOf(chosen), frame.current]
    if (at < 0 || !element) return
    const { scrollTop, clientHeight } = element
    const y = at * rowHeight
    element.scrollTop = Math.max(y + rowHeight - clientHeight, Math.min(y, scrollTop))
  }, [chosen])

  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && chosen >= 0) return onOpen(chosen)
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (step === undefined || shown.length === 0) return
    event.preventDefault()
    const at = Math.min(shown.length - 1, Math.max(0, shown.indexOf(chosen) + step))
    onChoose(shown[at] as number)
  }
  const short = shortenedNames(
    variants.map((name) => plainText(name)),
    12,
  )
  const columns = { "--columns": String(variants.length) }
  return (
    <div class="samples" role="table" aria-label="Samples" aria-rowcount={shown.length + 1}>
      <div class="sample-row head" role="row" aria-rowindex={1} style={columns}>
        <span role="columnheader">
          <Heading title="sample" />
        </span>
        <span role="columnheader" class="input-head">
          <Heading title="input" />
        </span>
        {variants.map((name, i) => (
          <span key={name} role="columnheader" class="value" title={plainText(name)}>
            <InlineMark variant={name} />
            <span class="name">{short[i]}</span>
          </span>
        ))}
      </div>
      <div
        class="sample-frame"
        role="rowgroup"
        ref={frame}
        tabIndex={0}
        style={{ height: `${height}px` }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKey}
      >
        <div class="sample-space" role="presentation" style={{ height: `${shown.length * rowHeight}px` }}>
          {visible.map((sample, offset) => (
            <div
              key={sample}
              class={`sample-row ${sample === chosen ? "chosen" : ""}`}
              role="row"
              aria-rowindex={first + offset + 2}
              aria-selected={sample === chosen}
              style={{ ...columns, top: `${(first + offset) * rowHeight}px` }}
              onClick={() => onOpen(sample)}
            >
              <span role="cell" class="id">
                <bdi>{plainText(store.index.sampleIds[sample] ?? "", 40)}</bdi>
              </span>
              <span role="cell" class="input">
                <Question turn={store.peek(sample)?.input.at(-1)} />
              </span>
              {variants.map((name) => (
                <span key={name} role="cell" class="value">
                  <Value store={store} sample={sample} variant={store.index.variants.indexOf(name)} />
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

/** The last turn of a sample, … until it is read; words where nothing would be seen. */
function Question({ turn }: { turn: SampleText["input"][number] | undefined }) {
  if (turn === undefined) return <>{"\u2026"}</>
  const text = plainText(turn.text, 160) || (turn.media?.map(({ label }) => label).join(", ") ?? "")
  return text.trim() === "" ? <NoText text={turn.text} /> : <bdi>{text}</bdi>
}

/** The deciding metric of one answer: a tick or a cross where it is 1 or 0, else the number. */
function Value({ store, sample, variant }: { store: RowStore; sample: number; variant: number }) {
  const { report } = usePage()
  const answer = answersOf(store, sample).find((own) => store.index.answers.variant[own] === variant)
  const value = answer === undefined ? null : decidingValue(report, store, answer)
  if (value === null)
    return <Sign look="unknown" sign={"\u2013"} words={answer === undefined ? "no answer" : "unscored"} />
  if (value === 1) return <Sign look="good" sign={"\u2713"} words="1" />
  if (value === 0) return <Sign look="bad" sign={"\u2717"} words="0" />
  const text = quantity(value, null)
  return (
    <>
      <span class="long">{text}</span>
      <span class="short" title={text}>
        {shortValue(value)}
      </span>
    </>
  )
}

/** A sign, with words for those who do not see it. */
function Sign(props: { look: string; sign: string; words: string }) {
  return (
    <span class={props.look}>
      {props.sign}
      <span class="hidden">{props.words}</span>
    </span>
  )
}
