import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The packages by name, version and the integrity that the registry gives. */
const packages = [
  [
    'pkcs11js',
    '2.1.7',
    'hstUuhkFoISF8BmTVRtaZzbF09WjE39K3gzZzUrI8WtRu4cYl4gakkd06I4Kq36kR/mkwVw2T2y3kHXk6JvuHQ==',
  ],
  [
    'node-api-headers',
    '1.9.0',
    '2oNILP4jXwRB4ywnYKjVk1YyJ96n2D4EOVJO6S3oYZ5PtbJrw3Yt9TpAuX3nBLMuzn74rnfGQrv13pS9vC+YiA==',
  ],
] as const

/**
 * Builds `pkcs11js` in a folder and loads it. It is no dependency of the suite, since npm would compile it at every installation. Throws where
 * the registry, or the compiler of the Debian package g++, is missing.
 */
export function builtPkcs11(folder: string): unknown {
  for (const [name, version, integrity] of packages) {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, stdio: 'ignore' })
    const archive = path.join(folder, `${name}-${version}.tgz`)
    if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== integrity)
      throw new Error(`${name} ${version} is not what the suite expects.`)
    mkdirSync(path.join(folder, name))
    execFileSync('tar', ['-xzf', archive, '-C', path.join(folder, name), '--strip-components=1'])
  }
  const source = path.join(folder, 'pkcs11js')
  const output = path.join(source, 'build/Release')
  mkdirSync(output, { recursive: true })
  const includes = ['-Iincludes', '-I../node-api-headers/include']
  const files = ['src/dl.cpp', 'src/common.cpp', 'src/main.cpp']
  const flags = ['-shared', '-fPIC', '-O1', '-std=c++17', '-DNAPI_DISABLE_CPP_EXCEPTIONS']
  execFileSync('g++', [...flags, ...includes, ...files, '-ldl', '-o', 'build/Release/pkcs11.node'], {
    cwd: source,
  })
  return createRequire(import.meta.url)(source)
}
