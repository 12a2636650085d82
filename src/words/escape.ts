/**
 * A text for HTML and XML, in elements and attributes: nothing in it can become markup.
 *
 * @example escaped("<b>") // "&#60;b&#62;"
 */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
