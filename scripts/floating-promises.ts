/**
 * Fails where a promise is neither awaited nor marked `void`. Biome's only rule that needs types: it indexes `node_modules` for
 * seconds, whatever the change, and caches nothing. So it runs apart, and only when a source has changed since it passed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSourceTree } from './checks/source-tree.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const passedFile = path.join(root, 'node_modules/.cache/floating-promises')

/** What the rule's verdict depends on: every source, the rule's configuration, and the installed versions. */
function inputsHash(): string {
  const hash = createHash('sha256')
  for (const file of ['biome.json', 'package-lock.json']) hash.update(readFileSync(path.join(root, file)))
  for (const file of readSourceTree(root, /\.[cm]?[jt]sx?$/))
    hash.update(`\0${file.path}\0`).update(file.text)
  return hash.digest('hex')
}

function passedHash(): string | undefined {
  try {
    return readFileSync(passedFile, 'utf8')
  } catch {
    return undefined
  }
}

const hash = inputsHash()
if (hash !== passedHash()) {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  const rule = ['lint', '--only=nursery/noFloatingPromises', '--error-on-warnings', '.']
  const { status } = spawnSync(process.execPath, [biome, ...rule], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
  if (status === 0) {
    mkdirSync(path.dirname(passedFile), { recursive: true })
    writeFileSync(passedFile, hash)
  }
}
