import { useState } from "preact/hooks"
import type { Plot } from "./frame.tsx"
import { round } from "./mark.tsx"
import { within, type ZoomPart } from "./zoom-part.ts"

/** The ground of a plot: dragging over it chooses the part that is shown next. */
export function ZoomPane(props: { plot: Plot; part: ZoomPart | null; onZoom: (part: ZoomPart) => void }) {
  const { plot, part, onZoom } = props
  const [drag, setDrag] = useState<{ readonly from: Place; readonly to: Place } | null>(null)
  const placeOf = (event: PointerEvent): Place => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const end = () => {
    setDrag(null)
    if (!drag) return
    const [left, right] = ordered(drag.from[0] / plot.width, drag.to[0] / plot.width)
    const [low, high] = ordered(1 - drag.from[1] / plot.height, 1 - drag.to[1] / plot.height)
    if (right - left < 0.03 || high - low < 0.03) return
    onZoom({ x: within(part?.x, left, right), y: within(part?.y, low, high) })
  }
  return (
    <>
      <rect
        class="zoom-ground"
        width={plot.width}
        height={plot.height}
        onPointerDown={(event) => {
          // A finger scrolls the page; it has the buttons.
          if (event.pointerType === "touch" || event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ from: placeOf(event), to: placeOf(event) })
        }}
        onPointerMove={(event) => drag && setDrag({ from: drag.from, to: placeOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      />
      {drag && (
        <rect
          class="zoom-part"
          x={round(Math.min(drag.from[0], drag.to[0]))}
          y={round(Math.min(drag.from[1], drag.to[1]))}
          width={round(Math.abs(drag.to[0] - drag.from[0]))}
          height={round(Math.abs(drag.to[1] - drag.from[1]))}
        />
      )}
    </>
  )
}

type Place = readonly [x: number, y: number]

function ordered(a: number, b: number): [number, number] {
  const [low, high] = a < b ? [a, b] : [b, a]
  return [Math.max(0, low), Math.min(1, high)]
}
