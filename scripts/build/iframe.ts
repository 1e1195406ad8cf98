import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetBuild } from './asset-build.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const sources = path.join(root, 'packages/iframe/src')

/** In this order: later ones win. */
const styles = ['theme.css', 'panel.css', 'controls.css', 'facts.css']

/**
 * The wallet frame: one script and one style, named by their hashes, and `manifest.json` with their names and `integrity`
 * (`sha384`) for the frame's page. Same sources, same bytes.
 */
export const iframeBuild: AssetBuild = {
  name: 'iframe',
  inputs: ['packages/iframe/src', 'packages/crypto/src', 'packages/networks/src', 'scripts/build/iframe.ts'],
  output: 'packages/iframe/dist',
  async build(into) {
    const script = written(into, 'js', await vaultScript())
    const style = written(into, 'css', vaultStyle())
    writeFileSync(path.join(into, 'manifest.json'), `${JSON.stringify({ script, style }, null, 2)}\n`)
  },
}

/** The vault's script as the frame loads it: one minified module without comments. */
export async function vaultScript(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: path.join(sources, 'main.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      minify: true,
      comments: false,
      codeSplitting: false,
    })
    return output[0].code
  } finally {
    await bundle.close()
  }
}

/** The vault's style; our own style sheets hold no text in which a space or a comment would matter. */
export function vaultStyle(): string {
  return styles
    .map((file) => readFileSync(path.join(sources, 'styles', file), 'utf8'))
    .join('')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim()
}

function written(into: string, kind: 'js' | 'css', text: string): { file: string; integrity: string } {
  const digest = createHash('sha384').update(text).digest()
  const file = `vault-${digest.toString('hex').slice(0, 16)}.${kind}`
  writeFileSync(path.join(into, file), text)
  return { file, integrity: `sha384-${digest.toString('base64')}` }
}
