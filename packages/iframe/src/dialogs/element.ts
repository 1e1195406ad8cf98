/** The content of an element: texts become text nodes, never markup; `null` is left out. */
export type Child = Node | string | null

/**
 * A new element with attributes and children; no text of it is ever read as HTML.
 * Not for `style`, `src` or event attributes, which the frame's Content-Security-Policy refuses.
 */
export function element<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  for (const child of children) if (child !== null) made.append(child)
  return made
}

/** An id that no other element of this document has, for labels and descriptions. */
export function freshId(prefix: string): string {
  return `${prefix}-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`
}
