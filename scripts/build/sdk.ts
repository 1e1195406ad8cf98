import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetBuild } from './asset-build.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const source = path.join(root, 'packages/sdk')
const entries = ['agent', 'index', 'react', 'server', 'verify']

/**
 * `@symbolon/sdk` as it is published: modules with shared chunks, the same as CommonJS in `cjs/`, declarations that need nothing of
 * ours for both, and `browser.js`, the one file that the platform serves at `/sdk.js`.
 */
export const sdkBuild: AssetBuild = {
  name: 'sdk',
  inputs: [
    'packages/sdk/src',
    'packages/sdk/package.json',
    'packages/sdk/README.md',
    'packages/crypto/src',
    'packages/iframe/src/protocol',
    'LICENSE',
    'tsconfig.base.json',
  ],
  output: 'packages/sdk/dist',
  async build(into) {
    await Promise.all([modules(into), browserFile(into)])
    declarations(into)
    // The folder's own package.json makes its `.js` and `.d.ts` files CommonJS.
    cpSync(path.join(into, 'types'), path.join(into, 'cjs/types'), { recursive: true })
    writeFileSync(path.join(into, 'cjs/package.json'), '{"type":"commonjs"}\n')
    writeFileSync(path.join(into, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    copyFileSync(path.join(source, 'README.md'), path.join(into, 'README.md'))
    copyFileSync(path.join(root, 'LICENSE'), path.join(into, 'LICENSE'))
  },
}

/** What an application bundles itself: readable, its dependencies left to the application. */
async function modules(into: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, path.join(source, `src/${entry}.ts`)])),
    external: [/^node:/, /^react(\/|$)/, '@hpke/core'],
    platform: 'neutral',
    transform: { target: 'es2022' },
  })
  for (const format of ['esm', 'cjs'] as const)
    await bundle.write({
      dir: format === 'esm' ? into : path.join(into, 'cjs'),
      format,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    })
  await bundle.close()
}

async function browserFile(into: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: path.join(source, 'src/index.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  await bundle.write({
    file: path.join(into, 'browser.js'),
    format: 'esm',
    minify: true,
    comments: false,
    codeSplitting: false,
  })
  await bundle.close()
}

/** Declarations by the compiler; what they take from the frame's protocol and from crypto's verification comes along, so that they stand alone. */
function declarations(into: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-sdk-'))
  try {
    const config = {
      extends: path.join(root, 'tsconfig.base.json'),
      compilerOptions: {
        composite: false,
        declaration: true,
        lib: ['es2024', 'dom', 'dom.iterable'],
        jsx: 'react-jsx',
        rootDir: path.join(root, 'packages'),
        outDir: path.join(folder, 'out'),
        typeRoots: [path.join(root, 'node_modules/@types')],
        // By its file it is ours, and written; by its name it would be somebody's package, and left out.
        paths: {
          '@symbolon/crypto/attestation': [path.join(root, 'packages/crypto/src/attestation/index.ts')],
        },
      },
      files: [
        ...entries.map((entry) => path.join(source, `src/${entry}.ts`)),
        path.join(root, 'packages/iframe/src/protocol/index.ts'),
      ],
    }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The declarations could not be written:\n${stdout}`)
    const types = path.join(into, 'types')
    cpSync(path.join(folder, 'out/sdk/src'), types, { recursive: true })
    cpSync(path.join(folder, 'out/iframe/src/protocol'), path.join(types, 'frame-protocol'), {
      recursive: true,
    })
    cpSync(path.join(folder, 'out/crypto/src'), path.join(types, 'crypto'), { recursive: true })
    for (const file of filesBelow(types)) standAlone(file, types)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Imports as a consumer resolves them: `.js` beside the declaration, nothing of the workspace. Throws on what is left. */
function standAlone(file: string, types: string): void {
  const beside = (module: string) => {
    const relative = path.relative(path.dirname(file), path.join(types, module))
    return `'${relative.startsWith('.') ? relative : `./${relative}`}'`
  }
  const text = readFileSync(file, 'utf8')
    .replaceAll(/(['"])@symbolon\/iframe\/protocol\1/g, beside('frame-protocol/index.js'))
    .replaceAll(/(['"])@symbolon\/crypto\/attestation\1/g, beside('crypto/attestation/index.js'))
    .replaceAll(/((?:from|import\() ?['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')
  const left = /['"](@symbolon\/[^'"]+|zod|\.[^'"]+\.ts)['"]/.exec(text)
  if (left !== null) throw new Error(`${path.basename(file)} reaches for ${left[1]}, which is not published`)
  writeFileSync(file, text)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .flatMap((file) => (statSync(file).isDirectory() ? filesBelow(file) : [file]))
}

/** The manifest for the registry: built files, real dependencies, nothing of the workspace. */
function manifest(): object {
  const own = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'))
  const entry = (name: string) => ({
    import: { types: `./types/${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./cjs/types/${name}.d.ts`, default: `./cjs/${name}.js` },
  })
  const subpaths = entries.filter((name) => name !== 'index')
  const { name, version, description, license, type, sideEffects, engines } = own
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines,
    // Of TypeScript's older resolution (`node10`), which knows no `exports`.
    main: './cjs/index.js',
    module: './index.js',
    types: './cjs/types/index.d.ts',
    typesVersions: { '*': Object.fromEntries(subpaths.map((name) => [name, [`./cjs/types/${name}.d.ts`]])) },
    exports: {
      '.': entry('index'),
      ...Object.fromEntries(subpaths.map((name) => [`./${name}`, entry(name)])),
      './package.json': './package.json',
    },
    dependencies: { '@hpke/core': `^${own.devDependencies['@hpke/core']}` },
    peerDependencies: own.peerDependencies,
    peerDependenciesMeta: own.peerDependenciesMeta,
  }
}
