import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { AssetBuild } from './asset-build.ts'
import { errorPage, errorStyle, missingErrorPage, missingPage } from './asset-error-page.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const source = path.join(root, 'docs')

/** What VueUse puts into the page while the theme changes, so that nothing fades. A browser test fails when a new version changes it. */
const themeChange =
  '*,*::before,*::after{-webkit-transition:none!important;-moz-transition:none!important;-o-transition:none!important;-ms-transition:none!important;transition:none!important}'

/**
 * The documentation at `/docs`, by VitePress. The pages of error codes are written again as plain ones. Each file has its compressed form
 * beside it; `manifest.json` has the `integrity` of every file, and the hashes of what pages have inline for their security policy.
 */
export const docsBuild: AssetBuild = {
  name: 'docs',
  inputs: [
    ...['config.ts', 'sidebar.ts', 'markdown', 'theme'].map((name) => `docs/.vitepress/${name}`),
    ...['architecture.md', 'index.md', 'threat-model.md'].map((name) => `docs/${name}`),
    ...['decisions', 'design', 'errors', 'guides'].map((name) => `docs/${name}`),
    ...['api.md', 'configuration.md', 'policy.md'].map((name) => `docs/reference/${name}`),
    'scripts/build/asset-error-page.ts',
  ],
  output: 'docs/.vitepress/dist',
  async build(into) {
    const { build } = await import('vitepress')
    await quietly(() => build(source, { outDir: into }))
    await writeErrorPages(into)
    writeMissingPage(into)
    writeManifest(into)
  },
}

/** VitePress draws a spinner for each of its steps. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const { write } = process.stderr
  const { log } = console
  process.stderr.write = () => true
  console.log = () => undefined
  try {
    await work()
  } finally {
    process.stderr.write = write
    console.log = log
  }
}

async function writeErrorPages(into: string): Promise<void> {
  const { createMarkdownRenderer } = await import('vitepress')
  const markdown = await createMarkdownRenderer(source, {}, '/docs/')
  mkdirSync(path.join(into, 'errors'), { recursive: true })
  writeFileSync(path.join(into, 'errors/page.css'), errorStyle)
  for (const file of readdirSync(path.join(source, 'errors')).filter((name) => name !== 'index.md')) {
    const code = file.slice(0, -'.md'.length)
    const text = readFileSync(path.join(source, 'errors', file), 'utf8')
    const body = markdown.render(text, { path: path.join(source, 'errors', file), cleanUrls: true })
    writeFileSync(path.join(into, 'errors', `${code}.html`), errorPage(code, body))
  }
  writeFileSync(path.join(into, 'errors/404.html'), missingErrorPage)
}

/** What is not there is said by a script: those who run none would see an empty page. */
function writeMissingPage(into: string): void {
  const file = path.join(into, '404.html')
  const page = readFileSync(file, 'utf8')
  const empty = '<div id="app"></div>'
  if (!page.includes(empty))
    throw new Error('404.html of this version of VitePress has another place for its text.')
  writeFileSync(file, page.replace(empty, `${empty}<noscript>${missingPage}</noscript>`))
}

function writeManifest(into: string): void {
  const scripts = new Set<string>()
  const styles = new Set([sha256(themeChange)])
  const files: Record<string, string> = {}
  for (const file of filesBelow(into)) {
    const body = readFileSync(path.join(into, file))
    files[file] = `sha384-${createHash('sha384').update(body).digest('base64')}`
    writeFileSync(path.join(into, `${file}.gz`), gzipSync(body, { level: 9 }))
    if (!file.endsWith('.html')) continue
    const page = body.toString()
    for (const [, code = ''] of page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g))
      scripts.add(sha256(code))
    for (const [, style = ''] of page.matchAll(/\sstyle="([^"]*)"/g)) styles.add(sha256(style))
  }
  const manifest = { scripts: [...scripts].sort(), styles: [...styles].sort(), files }
  writeFileSync(path.join(into, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort()

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
