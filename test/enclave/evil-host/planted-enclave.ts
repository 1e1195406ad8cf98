import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { sourceUrls } from '../../../scripts/build/build-source-urls.ts'

/** Texts of a source, and what stands there in an enclave that lacks a defence; `file` is from the root. */
export type Edit = { file: string; from: string; to: string }

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds the simulated enclave with other texts in its sources into a folder below `parent`, and answers its entry. Throws for a text that is not there once. */
export async function plantedEnclave(edits: readonly Edit[], parent: string): Promise<string> {
  const folder = mkdtempSync(path.join(parent, 'planted-'))
  const left = new Set(edits)
  const bundle = await rolldown({
    cwd: root,
    input: path.join(root, 'packages/dev/src/attestation/enclave-simulated.ts'),
    platform: 'node',
    plugins: [planting(left), sourceUrls({ from: folder, except: [] })],
  })
  try {
    const entry = path.join(folder, 'enclave.mjs')
    await bundle.write({ file: entry, format: 'esm', codeSplitting: false })
    if (left.size > 0) throw new Error(`Not a source of the enclave: ${[...left].map(({ file }) => file)}`)
    return entry
  } finally {
    await bundle.close()
  }
}

function planting(left: Set<Edit>): Plugin {
  return {
    name: 'planting',
    transform(code, id) {
      let planted = code
      for (const edit of [...left].filter(({ file }) => path.join(root, file) === id)) {
        const { file, from, to } = edit
        if (planted.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`)
        planted = planted.replace(from, () => to)
        left.delete(edit)
      }
      return planted === code ? null : planted
    },
  }
}
