import { outsideFences } from "./links.ts"

/** The anchors of a page's headings as GitHub and VitePress both make them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  outsideFences(text, (line) => {
    const words = /^#{1,6} (.+)$/.exec(line)?.[1]
    if (words !== undefined) anchors.add(slug(words))
    return line
  })
  return anchors
}

function slug(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s+/g, "-")
}
