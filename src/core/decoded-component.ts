/** A part of an address without its percent signs; what cannot be decoded is left as it stands. */
export function decodedComponent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
