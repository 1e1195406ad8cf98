// Revert data of up to 2,048 bytes comes inside of some messages.
const readMax = 8_192
const shownMax = 300
// Shorter parts are words such as a network's name.
const secretMin = 12
const urls = /[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi
// Control, line-breaking and direction-changing characters: a reason is one plain line, in logs and in answers.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/**
 * Makes a server's text safe: one line of at most 8,192 characters, without URLs and without any part of `url` (host, user
 * info, path, query) that could be a key.
 */
export function maskedText(url: URL): (text: string) => string {
  const parts = [
    url.host,
    url.hostname,
    url.username,
    url.password,
    url.pathname,
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
  ]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= secretMin)
    .sort((a, b) => b.length - a.length)

  return (text) => {
    // A part that the cut left half would not be recognised.
    const read = text.length <= readMax ? text : text.slice(0, readMax).replace(/\S*$/, '…')
    let shown = read.replace(urls, '…')
    for (const part of parts) shown = shown.replaceAll(part, '…')
    return shown.replace(hidden, ' ').trim()
  }
}

/** A safe text as long as people read: at most 300 characters. */
export const shortened = (text: string): string =>
  text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
