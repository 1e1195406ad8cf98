/** An element with attributes and children; text children are text, never markup. An attribute that is `null` is left out. */
export function element<name extends keyof HTMLElementTagNameMap>(
  name: name,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value)
  made.append(...children)
  return made
}
