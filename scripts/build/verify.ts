import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetBuild } from './asset-build.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const home = path.join(root, 'packages/verify')

/** The verifier as it is published: a program in one file with everything in it. */
export const verifyBuild: AssetBuild = {
  name: 'verify',
  inputs: [
    'packages/verify/src',
    'packages/verify/package.json',
    'packages/verify/README.md',
    'packages/crypto/src',
    'packages/sdk/src/verify',
    'packages/sdk/src/verify.ts',
    'packages/sdk/src/bytes.ts',
    'packages/sdk/src/given.ts',
    'packages/sdk/src/key-problem.ts',
    'packages/sdk/src/adapters/backend.ts',
    'packages/sdk/src/http/redirect.ts',
    'packages/sdk/src/http/safe-url.ts',
  ],
  output: 'packages/verify/dist',
  async build(into) {
    writeFileSync(path.join(into, 'verify.js'), await program(), { mode: 0o755 })
    writeFileSync(path.join(into, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    copyFileSync(path.join(home, 'README.md'), path.join(into, 'README.md'))
    copyFileSync(path.join(root, 'LICENSE'), path.join(into, 'LICENSE'))
  },
}

async function program(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: path.join(home, 'src/main.ts'),
    platform: 'node',
    transform: { target: 'es2022' },
  })
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      comments: { legal: true },
      codeSplitting: false,
    })
    return output[0].code
  } finally {
    await bundle.close()
  }
}

function manifest() {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(path.join(home, 'package.json'), 'utf8'),
  )
  const bin = { 'symbolon-verify': './verify.js' }
  return { name, version, description, license, type, engines, bin, files: ['verify.js'] }
}
