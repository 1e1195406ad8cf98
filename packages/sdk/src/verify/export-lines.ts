/**
 * An export: as `stream` the bytes as they were downloaded, in chunks of any size (`response.body`, `file.stream()`, Node's
 * `createReadStream`), or as `lines`, without line feeds.
 */
export type AuditExport =
  | { readonly stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>; readonly lines?: undefined }
  | {
      readonly lines: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
      readonly stream?: undefined
    }

/** Far above the longest event; what is longer is cut off there, so that a file without line feeds does not fill the memory. */
export const lineBytesMax = 1_048_576

const lineFeed = 0x0a

/** The lines of an export as bytes, some at a time. A line longer than `lineBytesMax` comes with one byte more than that. */
export async function* exportLines(source: AuditExport): AsyncGenerator<readonly Uint8Array[]> {
  if (source.lines !== undefined) {
    for await (const line of source.lines)
      yield [typeof line === 'string' ? new TextEncoder().encode(line) : line]
    return
  }
  let begun: Uint8Array[] = []
  let begunBytes = 0
  const begin = (part: Uint8Array) => {
    const kept = part.subarray(0, Math.max(0, lineBytesMax + 1 - begunBytes))
    if (kept.length > 0) begun.push(kept.slice())
    begunBytes += kept.length
  }
  for await (const chunk of chunksOf(source.stream)) {
    const lines: Uint8Array[] = []
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (begunBytes === 0) lines.push(chunk.subarray(start, Math.min(end, start + lineBytesMax + 1)))
      else {
        begin(chunk.subarray(start, end))
        lines.push(joined(begun))
        ;[begun, begunBytes] = [[], 0]
      }
      start = end + 1
    }
    yield lines
    begin(chunk.subarray(start))
  }
  if (begunBytes > 0) yield [joined(begun)]
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!('getReader' in stream)) {
    yield* stream
    return
  }
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}
