/**
 * Gives the dialogs the organization's colour (`#rrggbb`; anything else leaves the default one), and black or white for
 * text on it, whichever is easier to read (at least 4.5 to 1, WCAG 2.2, 1.4.3). Set by CSSOM: the frame's
 * Content-Security-Policy refuses style attributes.
 */
export function applyBrandColour(root: HTMLElement, colour: string | null): void {
  if (colour === null || !/^#[0-9a-f]{6}$/i.test(colour)) return
  root.style.setProperty('--brand', colour)
  root.style.setProperty('--on-brand', contrastWithWhite(colour) >= 4.5 ? '#ffffff' : '#000000')
}

function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => linear(colour.slice(start, start + 2)))
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** One sRGB channel as light (WCAG 2.2, relative luminance). */
function linear(hex: string): number {
  const channel = Number.parseInt(hex, 16) / 255
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
