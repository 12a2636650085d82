import { plainText } from "../../../src/words/text.ts"
import type { ShownMedia } from "../../page/payload.ts"

/** Kinds that a browser draws without running anything: what the page was made with is not trusted to say so. */
const drawn = /^image\/(png|jpeg|gif|webp)$/

/** A picture of the question, small, with a line that says what it is; the line alone where the page does not hold the picture. */
export function Picture({ shown }: { readonly shown: ShownMedia }) {
  const { label, block, mediaType = "" } = shown
  const data = block !== undefined && drawn.test(mediaType) ? document.getElementById(block)?.textContent : null
  const words = plainText(label, 200)
  return (
    <figure class="picture">
      {data && <img src={`data:${mediaType};base64,${data}`} alt={words} />}
      <figcaption class="note">{`[${words}]`}</figcaption>
    </figure>
  )
}
