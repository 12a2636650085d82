/** Reads a gzip + base64 block out of the file: base64 text in, JSON value out. */
export async function decodeBlock<Value>(text: string): Promise<Value> {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"))
  return (await new Response(stream).json()) as Value
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim())
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
