import type { ComponentChildren } from "preact"
import type { Figure } from "../../src/core/report/figure.ts"
import { aboutMark, byWords, countedRate, extremeRate, figureText, spreadText } from "../../src/words/figure.ts"
import { quantity, type Unit } from "../../src/words/quantity.ts"
import { plainLines } from "../../src/words/text.ts"
import { unbrokenPieces } from "../../src/words/unbroken.ts"
import { InlineMark } from "./charts/mark.tsx"
import { Heading } from "./words.tsx"

/** A foreign text: controls removed, direction isolated, wrapped anywhere. */
export function Foreign(props: { text: string; limit?: number }) {
  const text = plainLines(props.text)
  const limit = props.limit ?? 2000
  return <bdi class="foreign">{unbroken(text.length > limit ? `${text.slice(0, limit - 1)}\u2026` : text)}</bdi>
}

/** A text in which no line ends inside of a name or a date at its hyphen: `s-q4_0`, `2026-11-21`. */
export function unbroken(text: string): ComponentChildren {
  return unbrokenPieces(text).map((piece, i) =>
    piece.isWhole ? (
      <span key={i} class="whole">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  )
}

/** A sentence of ours: no line begins with the unit of a number, and none ends within `p < 0.001`. */
export function Said(props: { text: string; limit?: number }) {
  return <Foreign {...props} text={tied(props.text)} />
}

/** A number and its unit stay on one line, and what a sign of relation stands between. */
export function tied(text: string): string {
  return text
    .replace(/(\d) (?=%|points?\b|ms\b|s\b|USD\b)/g, "$1\u00a0")
    .replace(/(\w) ([<=>]) (?=[\d\u2212.])/g, "$1\u00a0$2\u00a0")
}

/** A section of the page with its heading. */
export function Section(props: { id: string; title: string; lead?: string; children: ComponentChildren }) {
  return (
    <section id={props.id} aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`}>
        <Heading title={props.title} place="section" />
      </h2>
      {props.lead && <p class="lead">{props.lead}</p>}
      {props.children}
    </section>
  )
}

/** A figure in a cell: value ± half the interval, the whole story on hover, grey "unknown" with its reason. */
export function FigureCell(props: {
  figure: Figure
  unit: Unit | null
  strong?: boolean
  /** Without its interval. */
  bare?: boolean
  /** A difference: its sign is always shown. */
  difference?: boolean
  /** A share: as a count of its answers, as others of its column are. */
  counted?: boolean
}) {
  const { figure, unit } = props
  const story = figureStory(figure, unit)
  if (figure.status === "unknown")
    return (
      <span class="unknown" title={story}>
        unknown
      </span>
    )
  const extreme = unit === "share" && !props.difference ? extremeRate(figure) : null
  const counted = props.counted ? countedRate(figure) : null
  const spread = props.bare ? null : counted ? counted[1] : spreadText(figure, unit)
  const plain = extreme ?? counted?.[0] ?? `${aboutMark(figure)}${quantity(figure.value, unit)}`
  const value = props.difference && figure.value > 0 ? `+${plain}` : plain
  return (
    <span class="figure" title={story}>
      {props.strong ? <b>{value}</b> : value}
      {figure.warning && (
        <sup class="warning" title={plainLines(figure.warning)}>
          !
        </sup>
      )}
      {spread !== null && !extreme && <small class="half"> {spread}</small>}
      {byWords(figure)}
    </span>
  )
}

/** Everything known of a figure in a sentence: value, interval, n, method, doubt. */
export function figureStory(figure: Figure, unit: Unit | null): string {
  if (figure.status === "unknown") return plainLines(`not measured: ${figure.reason}`)
  const doubt = figure.warning ? `; ${figure.warning}` : ""
  return plainLines(`${figureText(figure, unit)}; n = ${figure.n}; ${figure.method}${doubt}`)
}

/** A choice of one of several. */
export function Choice(props: {
  label: string
  value: string
  options: readonly { readonly value: string; readonly title: string }[]
  onChange: (value: string) => void
}) {
  return (
    <label class="choice">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === props.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The head of a variant's row: its mark and its name. */
export function VariantHead({ name }: { name: string }) {
  return (
    <th scope="row">
      <InlineMark variant={name} /> <Foreign text={name} limit={60} />
    </th>
  )
}

/** A table that scrolls sideways where it must. */
export function TableFrame(props: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-frame" role="group" aria-label={props.label} tabIndex={0}>
      {props.children}
    </div>
  )
}

/** A long foreign text behind its title, whose lines stay as they are where it is code. */
export function Folded(props: { title: string; text: string; isCode?: boolean }) {
  const text = <Foreign text={props.text} limit={20_000} />
  return (
    <details>
      <summary>{props.title}</summary>
      {props.isCode ? <pre>{text}</pre> : text}
    </details>
  )
}

/** Notes below what they are about, a paragraph each. */
export function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} class="note">
      <Said text={note} limit={400} />
    </p>
  ))
}
