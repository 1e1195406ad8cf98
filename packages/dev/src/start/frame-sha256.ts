import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { frameDocument } from '@symbolon/server/frame-page'

const built = fileURLToPath(new URL('../../../iframe/dist', import.meta.url))

/** A file of the frame, as its build lists it. */
type Entry = { file: string; integrity: string }

/** The hash of the wallet frame as it is built in `folder`, for the manifest; null where none is built yet. */
export function frameSha256(folder = built): string | null {
  try {
    const text = readFileSync(path.join(folder, 'manifest.json'), 'utf8')
    const { script, style } = JSON.parse(text) as { script: Entry; style: Entry }
    const named = ({ file: name, integrity }: Entry) => ({ name, integrity })
    return createHash('sha256')
      .update(frameDocument({ script: named(script), style: named(style) }))
      .digest('hex')
  } catch {
    return null
  }
}
