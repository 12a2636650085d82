import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"

/**
 * What a model is given of a result: its texts as they are, and of what is no text what it is. Structured content is given where there
 * is no text, for servers repeat it as text.
 *
 * @example resultText({ content: [{ type: "image", mimeType: "image/png", data: "iVBO…" }] }) // "[image/png, 1,204 bytes]"
 */
export function resultText({
  content,
  structuredContent,
}: Pick<CallToolResult, "content" | "structuredContent">): string {
  const parts = content.map(partText)
  const hasText = content.some(({ type }) => type === "text" || type === "resource")
  if (structuredContent !== undefined && !hasText) parts.push(JSON.stringify(structuredContent))
  return parts.join("\n")
}

function partText(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text
    case "image":
    case "audio":
      return `[${part.mimeType}, ${bytes(part.data)}]`
    case "resource_link":
      return `[resource ${part.name}: ${part.uri}]`
    case "resource": {
      const { resource } = part
      if ("text" in resource) return `[resource ${resource.uri}]\n${resource.text}`
      return `[resource ${resource.uri}: ${resource.mimeType ?? "bytes"}, ${bytes(resource.blob)}]`
    }
  }
}

function bytes(base64: string): string {
  return `${Math.floor((base64.replace(/=+$/, "").length * 3) / 4).toLocaleString("en-US")} bytes`
}
