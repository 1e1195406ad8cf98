import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetBuild } from './asset-build.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const home = path.join(root, 'packages/rescue')

/** The rescue tool as it is published: a program and a page, each one file with everything in it. */
export const rescueBuild: AssetBuild = {
  name: 'rescue',
  inputs: [
    'packages/rescue/src',
    'packages/rescue/package.json',
    'packages/rescue/README.md',
    'packages/crypto/src',
    'packages/networks/src',
    'scripts/build/rescue.ts',
  ],
  output: 'packages/rescue/dist',
  async build(into) {
    const [program, script] = await Promise.all([
      bundled('main.ts', 'node'),
      bundled('page-main.ts', 'browser'),
    ])
    writeFileSync(path.join(into, 'rescue.js'), program, { mode: 0o755 })
    writeFileSync(path.join(into, 'rescue.html'), page(script))
    writeFileSync(path.join(into, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    copyFileSync(path.join(home, 'README.md'), path.join(into, 'README.md'))
    copyFileSync(path.join(root, 'LICENSE'), path.join(into, 'LICENSE'))
  },
}

async function bundled(entry: string, platform: 'node' | 'browser'): Promise<string> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: path.join(home, 'src', entry),
    platform,
    transform: { target: 'es2022' },
  })
  try {
    const isPage = platform === 'browser'
    const { output } = await bundle.generate({
      format: isPage ? 'iife' : 'esm',
      minify: isPage,
      comments: isPage ? false : { legal: true },
      codeSplitting: false,
    })
    return output[0].code
  } finally {
    await bundle.close()
  }
}

/** The page in one file. Its policy names its one script and one style by their hashes, and allows nothing else. */
function page(script: string): string {
  const style = readFileSync(path.join(home, 'src/page/rescue.css'), 'utf8')
  // The end tag of a script ends it inside a string, too.
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const template = readFileSync(path.join(home, 'src/page/rescue.html'), 'utf8')
  return [
    ["default-src 'none'", policy],
    ['/* rescue.css */', style],
    ['/* page-main.ts */', code],
  ].reduce((text, [place = '', part = '']) => replacedOnce(text, place, part), template)
}

function replacedOnce(text: string, place: string, part: string): string {
  const [before, after, ...more] = text.split(place)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`The page needs ${place} exactly once.`)
  return before + part + after
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function manifest() {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(path.join(home, 'package.json'), 'utf8'),
  )
  const files = ['rescue.js', 'rescue.html']
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { 'symbolon-rescue': './rescue.js' },
    files,
  }
}
